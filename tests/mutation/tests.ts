import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Baseline, startChild } from "./children.ts";
import type { Mutant, Tree } from "./tree.ts";

/** A test file, how long it takes untouched (ms), and what its tests meet. */
export type TestFile = Baseline & { path: string; ms: number };

/** Tests of one file that are to try a mutant, most promising first. */
export type Trial = { mutant: Mutant; file: TestFile; tests: Array<{ at: number; ms: number }> };

/**
 * Runs every test file of the two modules once, with all mutants asleep; throws when one fails without any. What the same tree's
 * tests met is known from the last time. With `parts` only the files whose paths have one of them.
 */
export async function meets(tree: Tree, jobs: number, parts?: readonly string[]): Promise<TestFile[]> {
  if (parts !== undefined) return meetAll(tree, jobs, parts);
  const known = join(tmpdir(), `midman-mutation-met-${tree.digest}.json`);
  if (!existsSync(known)) {
    const found = await meetAll(tree, jobs, [""]);
    writeFileSync(`${known}.new`, JSON.stringify(found));
    renameSync(`${known}.new`, known);
  }
  return JSON.parse(readFileSync(known, "utf8"));
}

async function meetAll(tree: Tree, jobs: number, parts: readonly string[]): Promise<TestFile[]> {
  const paths = tree.tracked.filter(
    (path) =>
      /^modules\/(escrow|payments)\/.*\.test\.ts$/.test(path) && parts.some((part) => path.includes(part)),
  );
  const found: TestFile[] = [];
  await atOnce(jobs, paths, async (path) => {
    const began = performance.now();
    const child = await startChild(tree, path, true);
    found.push({ ...child.baseline, path, ms: performance.now() - began });
    await child.end();
  });
  return found;
}

/** Works the items off, so many at once. */
export async function atOnce<T>(jobs: number, items: readonly T[], work: (item: T) => Promise<void>) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}

/**
 * Which tests try a mutant: those that meet it and stand alone; of the files nearest its own first, then those that meet little
 * else; as many as take `withinMs` untouched, and one at least.
 */
export function trialsOf(mutant: Mutant, files: readonly TestFile[], withinMs: number): Trial[] {
  const meeting = files.flatMap((file) =>
    file.tests.flatMap(({ met, ms, alone }, at) =>
      alone && met.includes(mutant.id) ? [{ file, at, ms, worth: met.length + ms }] : [],
    ),
  );
  meeting.sort((a, b) => distance(a.file, mutant) - distance(b.file, mutant) || a.worth - b.worth);
  const trials = new Map<TestFile, Trial>();
  let left = withinMs;
  for (const { file, at, ms } of meeting) {
    if (left <= 0) break;
    left -= ms;
    const trial = trials.get(file) ?? { mutant, file, tests: [] };
    trials.set(file, trial);
    trial.tests.push({ at, ms });
  }
  return [...trials.values()];
}

function distance({ path }: TestFile, { file }: Mutant): number {
  if (dirname(path) !== dirname(file)) return 3;
  const [tested, changed] = [basename(path, ".test.ts"), basename(file, ".ts")];
  if (tested === changed) return 0;
  return tested.split(".")[0] === changed.split(".")[0] ? 1 : 2;
}

/** The files in the order in which they are likely to notice the mutant, the quicker first among alike. */
export function nearestFirst(mutant: Mutant, files: readonly TestFile[]): TestFile[] {
  return files.toSorted((a, b) => distance(a, mutant) - distance(b, mutant) || a.ms - b.ms);
}

/** Whether the mutant is met where only the file as a whole can tell: while it is loaded, or by tests that need those before them. */
export function meetsAsWhole(file: TestFile, { id }: Mutant): boolean {
  return file.static.includes(id) || file.tests.some(({ alone, met }) => !alone && met.includes(id));
}

/** Runs whole test files, each in a process that wakes the mutant before it loads anything, until one fails. */
export async function tryWhole(tree: Tree, mutant: Mutant, files: readonly TestFile[]) {
  for (const { path, ms } of files) {
    const ended = await run(tree, path, mutant.id, 10_000 + 3 * ms);
    if (ended !== "survived") return ended;
  }
  return "survived";
}

async function run(tree: Tree, path: string, mutant: string, limitMs: number) {
  const child = Bun.spawn([process.execPath, "test", "--bail", "--timeout", "60000", `./${path}`], {
    cwd: tree.folder,
    env: { ...process.env, __STRYKER_ACTIVE_MUTANT__: mutant },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    timeout: Math.ceil(limitMs),
    killSignal: "SIGKILL",
  });
  const code = await child.exited;
  if (child.signalCode === "SIGKILL") return "timeout";
  return code === 0 ? "survived" : "killed";
}
