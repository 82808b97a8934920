import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fate } from "./results.ts";
import type { Mutant, Tree } from "./tree.ts";

/** A test file, how long it takes untouched, the mutants it meets, and how many of each source file it has noticed. */
export type TestFile = { path: string; ms: number; met: Set<string>; noticed: Map<string, number> };

const preload = join(import.meta.dir, "coverage.ts");

/**
 * Runs every test file of the two modules once, with all mutants asleep; throws when one fails without any. What the same tree's
 * tests met is known from the last time.
 */
export async function meets(tree: Tree, jobs: number): Promise<TestFile[]> {
  const known = join(tmpdir(), `midman-mutation-met-${tree.digest}.json`);
  if (!existsSync(known)) {
    const found = await meetAll(tree, jobs);
    writeFileSync(`${known}.new`, JSON.stringify(found));
    renameSync(`${known}.new`, known);
  }
  const files = JSON.parse(readFileSync(known, "utf8")) as Met[];
  return files.map(({ met, ...file }) => ({ ...file, met: new Set(met), noticed: new Map() }));
}

type Met = { path: string; ms: number; met: string[] };

async function meetAll(tree: Tree, jobs: number): Promise<Met[]> {
  const paths = tree.tracked.filter((path) => /^modules\/(escrow|payments)\/.*\.test\.ts$/.test(path));
  const found: Met[] = [];
  const worker = async () => {
    for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
      const report = join(tree.folder, `met-${crypto.randomUUID()}.json`);
      const began = performance.now();
      const ended = await run(tree, path, { MUTATION_COVERAGE: report }, 300_000);
      if (ended !== "passed") throw new Error(`${path} ${ended} with no mutant awake`);
      found.push({ path, ms: performance.now() - began, met: JSON.parse(readFileSync(report, "utf8")) });
      rmSync(report);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return found;
}

/**
 * Wakes one mutant and runs test files that meet it until one fails: those first that notice most of this source file in their
 * time, and no more when those run have taken `withinMs` of untouched time.
 */
export async function tryMutant(
  tree: Tree,
  mutant: Mutant,
  tests: readonly TestFile[],
  withinMs: number,
): Promise<Fate> {
  const worth = ({ ms, noticed }: TestFile) => (1 + 4 * (noticed.get(mutant.file) ?? 0)) / ms;
  const meeting = tests.filter(({ met }) => met.has(mutant.id)).sort((a, b) => worth(b) - worth(a));
  if (meeting.length === 0) return "uncovered";
  let left = withinMs;
  for (const { path, ms, noticed } of meeting) {
    if (left <= 0) break;
    left -= ms;
    const ended = await run(tree, path, { __STRYKER_ACTIVE_MUTANT__: mutant.id }, 10_000 + 3 * ms);
    if (ended === "passed") continue;
    noticed.set(mutant.file, (noticed.get(mutant.file) ?? 0) + 1);
    return ended === "failed" ? "killed" : "timeout";
  }
  return "survived";
}

async function run(
  tree: Tree,
  path: string,
  environment: Record<string, string>,
  limitMs: number,
): Promise<"passed" | "failed" | "timed out"> {
  const child = Bun.spawn(
    [process.execPath, "test", "--bail", "--preload", preload, "--timeout", "60000", `./${path}`],
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
