import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Fate } from "./results.ts";
import type { Mutant, Tree } from "./tree.ts";

/** A test file, how long it takes untouched, and the mutants it meets. */
export type TestFile = { path: string; ms: number; met: Set<string> };

const preload = join(import.meta.dir, "coverage.ts");

/** Runs every test file of the two modules once, with all mutants asleep; throws when one fails without any. */
export async function meets(tree: Tree, jobs: number): Promise<TestFile[]> {
  const listed = await Bun.$`git ls-files modules/escrow modules/payments`
    .cwd(join(import.meta.dir, "..", ".."))
    .text();
  const paths = listed.split("\n").filter((path) => path.endsWith(".test.ts"));
  const found: TestFile[] = [];
  const worker = async () => {
    for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
      const report = join(tree.folder, `met-${crypto.randomUUID()}.json`);
      const began = performance.now();
      const ended = await run(tree, [path], { MUTATION_COVERAGE: report }, 300_000);
      if (ended !== "passed") throw new Error(`${path} ${ended} with no mutant awake`);
      const met = new Set<string>(JSON.parse(readFileSync(report, "utf8")));
      rmSync(report);
      found.push({ path, ms: performance.now() - began, met });
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return found;
}

/** Wakes one mutant and runs the test files that meet it, the quickest first, until one fails. */
export async function tryMutant(tree: Tree, mutant: Mutant, tests: readonly TestFile[]): Promise<Fate> {
  const meeting = tests.filter(({ met }) => met.has(mutant.id)).sort((a, b) => a.ms - b.ms);
  if (meeting.length === 0) return "uncovered";
  for (const { path, ms } of meeting) {
    const ended = await run(tree, [path], { __STRYKER_ACTIVE_MUTANT__: mutant.id }, 15_000 + 4 * ms);
    if (ended === "failed") return "killed";
    if (ended === "timed out") return "timeout";
  }
  return "survived";
}

async function run(
  tree: Tree,
  paths: string[],
  environment: Record<string, string>,
  limitMs: number,
): Promise<"passed" | "failed" | "timed out"> {
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      "--bail",
      "--preload",
      preload,
      "--timeout",
      "60000",
      ...paths.map((path) => `./${path}`),
    ],
    {
      cwd: tree.folder,
      env: { ...process.env, ...environment },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, limitMs);
  const code = await child.exited;
  clearTimeout(timer);
  if (late) return "timed out";
  return code === 0 ? "passed" : "failed";
}
