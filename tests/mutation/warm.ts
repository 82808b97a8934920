// Run by `bun test` in the planted tree: keeps the tests of one file at hand and runs those it is asked for with one mutant awake. It
// works while its own file is being loaded, so that a rejection nobody waits for does not end it, as it would a test.
import { collected, endCollected, runCollected } from "./bun-test.ts";
import type { Answer, Baseline, Question } from "./children.ts";

type Stryker = {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
};

const { MUTATION_WARM: path = "", MUTATION_BASELINE } = process.env;
const world = globalThis as { __stryker__?: Stryker };
world.__stryker__ ??= {};
const stryker: Stryker = world.__stryker__;
/** More hits than any test makes: a loop that a mutant made endless ends by them. */
const mostHits = 200_000;

const say = (message: unknown) => void process.send?.(message);

const spans = new Map<number, number>();

/** Runs a test of the file. `awake` is the mutant, none when undefined. */
async function attempt(at: number, awake?: string): Promise<"passed" | "failed" | "timed out"> {
  const one = collected[at];
  if (one === undefined) throw new Error(`no test ${at}`);
  Object.assign(stryker, { activeMutant: awake, hitCount: 0, hitLimit: mostHits });
  const { promise: late, resolve } = Promise.withResolvers<"timed out">();
  const timer = setTimeout(resolve, limitOf(at), "timed out");
  const ran = runCollected(one).then(
    () => "passed" as const,
    () => "failed" as const,
  );
  const ended = await Promise.race([ran, late]);
  clearTimeout(timer);
  stryker.activeMutant = undefined;
  return ended;
}

function limitOf(at: number): number {
  const known = spans.get(at);
  return known === undefined ? 120_000 : 5_000 + 5 * known;
}

/** Each test once, then each once more the other way round: what fails then does not stand alone. */
async function baseline(): Promise<Baseline> {
  const tests: Baseline["tests"] = [];
  for (const [at, { name }] of collected.entries()) {
    const began = performance.now();
    stryker.currentTestId = `${at}`;
    const ended = await attempt(at);
    stryker.currentTestId = undefined;
    if (ended !== "passed") throw new Error(`${path}: ${name} ${ended} with no mutant awake`);
    tests.push({ name, ms: performance.now() - began, alone: true, met: [] });
  }
  const { static: outside = {}, perTest = {} } = stryker.mutantCoverage ?? {};
  const always = Object.keys(outside);
  for (const [at, one] of [...tests.entries()].reverse()) one.alone = (await attempt(at)) === "passed";
  for (const [at, one] of tests.entries()) one.met = Object.keys(perTest[at] ?? {});
  return { static: always, tests };
}

/** The first of the tests that fails with the mutant awake, and passes before (when asked) and after without it. */
async function answer({ mutant, tests, before }: Question): Promise<Answer> {
  for (const { at, ms } of tests) {
    spans.set(at, ms);
    if (before && (await attempt(at)) !== "passed") return { fate: "unsure", at };
    const ended = await attempt(at, mutant);
    if (ended === "passed") continue;
    if (ended === "timed out") return { fate: "timeout", at };
    // Before: it was the mutant. After: what it has left behind does not fail tests of others.
    const well = before || (await attempt(at)) === "passed";
    return { fate: well ? "killed" : "unsure", at };
  }
  return { fate: "survived" };
}

const { promise: over, resolve: end } = Promise.withResolvers<void>();
process.on("message", async (asked: Question | "end") =>
  asked === "end" ? end() : say(await answer(asked)),
);
try {
  await import(path);
  say(MUTATION_BASELINE === undefined ? {} : await baseline());
} catch (error) {
  say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
await over;
await endCollected().catch(() => {});
process.exit(0);
