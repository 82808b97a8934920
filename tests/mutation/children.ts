import { join } from "node:path";
import type { Tree } from "./tree.ts";

/** A test of a file: how long it takes untouched, the ids of the mutants it meets, and whether it stands without those before it. */
export type MeasuredTest = { name: string; ms: number; alone: boolean; met: string[] };
/** What a test file's run met; `static` outside its tests, while it was loaded and prepared. */
export type Baseline = { static: string[]; tests: MeasuredTest[] };
/** Which tests (by number) to run with the mutant awake, until one fails; `before`: each without it first. */
export type Question = { mutant: string; tests: Array<{ at: number; ms: number }>; before: boolean };
/** `unsure`: the test fails without the mutant too, by now. */
export type Answer = { fate: "killed" | "timeout" | "survived" | "unsure"; at?: number };

/** A process that has loaded one test file of the tree and runs tests of it when asked. */
export type Child = {
  baseline: Baseline;
  ask(question: Question): Promise<Answer>;
  /** Ends it, its database with it. */
  end(): Promise<void>;
};

type Told = Baseline & Answer & { error?: string };

/** Starts a child for the test file. With `measure` it runs all tests first and says what they met; throws if one fails. */
export async function startChild(tree: Tree, path: string, measure = false): Promise<Child> {
  let tell: (told: Told) => void = () => {};
  const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", "./tests/mutation/warm.ts"], {
    cwd: tree.folder,
    env: {
      ...process.env,
      MUTATION_WARM: join(tree.folder, path),
      ...(measure ? { MUTATION_BASELINE: "1" } : {}),
    },
    ipc: (told: Told) => tell(told),
    serialization: "json",
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  /** What it tells next; when it has ended or says nothing for so long, undefined. */
  async function next(limitMs: number): Promise<Told | undefined> {
    const { promise, resolve } = Promise.withResolvers<Told | undefined>();
    tell = resolve;
    const timer = setTimeout(resolve, limitMs, undefined);
    const told = await Promise.race([promise, child.exited.then(() => undefined)]);
    clearTimeout(timer);
    return told;
  }
  const baseline = await next(300_000);
  if (baseline === undefined || baseline.error !== undefined) {
    child.kill("SIGKILL");
    throw new Error(baseline?.error ?? `${path} ended before its tests began`);
  }
  return {
    baseline,
    async ask(question) {
      const limitMs = question.tests.reduce((sum, { ms }) => sum + 2 * (5_000 + 5 * ms), 10_000);
      const answering = next(limitMs);
      child.send(question);
      const told = await answering;
      if (told !== undefined) return told;
      // It blocks for ever, or has crashed.
      const crashed = child.exitCode !== null;
      child.kill("SIGKILL");
      return { fate: crashed ? "unsure" : "timeout" };
    },
    async end() {
      if (child.exitCode === null) child.send("end");
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await child.exited;
      clearTimeout(timer);
    },
  };
}
