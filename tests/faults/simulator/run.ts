import fc from "fast-check";
import type { Figures } from "../report.ts";
import { broken } from "./invariants.ts";
import type { Rules } from "./model/state.ts";
import { type Plan, plans } from "./plan.ts";
import { type Played, play } from "./play.ts";
import { tally } from "./tally.ts";
import { faultsOf, makeWorld, type World } from "./world.ts";

export type Options = {
  seed: number;
  /** So many interleavings at least: bursts in which several commands to one trade were really under way at once. */
  interleavings: number;
  /** No new plans after so many seconds. */
  seconds?: number;
  /** Worlds side by side, each with a seed of its own. */
  worlds?: number;
  /** Plays one plan of the seed again, as a failing run named it. */
  path?: string | undefined;
};

type Counts = Record<string, number>;

/** Trades that are played side by side in a world. */
const ABREAST = 16;
/** How often a plan is tried while it shrinks, and when it is played again: what goes wrong need not go wrong each time. */
const TRIES = { shrinking: 3, again: 30 };
/** How long a failing plan is made smaller, in ms. */
const SHRINKING_MS = 180_000;

/** Seeds so far apart have the same rules, so that whoever plays one again plays by those it was found by. */
const SAME_RULES = 12;

function rulesOf(seed: number): Rules {
  const fourEyesAbove = seed % 3 === 0 ? null : 50_000;
  return { feePolicy: seed % 4 === 3 ? "terms" : "standard", fourEyesAbove };
}

/**
 * Plays generated plans in several worlds at once, until so many interleavings were played, and judges each history; then proves each
 * world's books and log. A failure tells the smallest plan that was found to fail, what happened, and how to play it again.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const count = options.path === undefined ? (options.worlds ?? 2) : 1;
  const seeds = Array.from({ length: count }, (_, i) => options.seed + i);
  const counts: Counts = {};
  const failures = await Promise.all(seeds.map((seed) => runWorld({ ...options, seed }, counts)));
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  return { suite: "simulator", seed: options.seed, counts, failures: failures.flat(), seconds };
}

async function runWorld(options: Options, counts: Counts): Promise<string[]> {
  const world = await makeWorld(rulesOf(options.seed), ABREAST);
  try {
    const { interleavings, seconds = Number.POSITIVE_INFINITY, path } = options;
    const until = performance.now() + seconds * 1_000;
    let failure: string | null = null;
    for (let { seed } = options; failure === null; seed += SAME_RULES) {
      failure = await playSeed(world, { ...options, seed }, counts);
      if (path !== undefined || performance.now() > until || (counts.interleavings ?? 0) >= interleavings)
        break;
    }
    return [...(failure === null ? [] : [failure]), ...(await faultsOf(world))];
  } finally {
    await world.stop();
  }
}

/** Plays the one plan of a seed, and makes it smaller should it fail. */
async function playSeed(world: World, { seed, path }: Options, counts: Counts): Promise<string | null> {
  let failedAt: number | null = null;
  const property = fc.asyncProperty(plans(ABREAST, world.rules), async (plan) => {
    if (failedAt !== null && performance.now() - failedAt > SHRINKING_MS) return;
    const tries = failedAt !== null ? TRIES.shrinking : path === undefined ? 1 : TRIES.again;
    for (let left = tries; left > 0; left--) {
      const wrong = await once(world, plan, failedAt === null ? counts : {});
      if (wrong === null) continue;
      failedAt ??= performance.now();
      throw new Error(wrong);
    }
  });
  const verdict = await fc.check(property, { seed, numRuns: 1, ...(path && { path, endOnFailure: true }) });
  return verdict.failed ? told(verdict, seed) : null;
}

async function once(world: World, plan: Plan, counts: Counts): Promise<string | null> {
  const trades = await play(world, plan);
  tally(counts, plan, trades);
  const wrong = trades.filter(({ fault }) => fault !== null).map(asStory);
  if (wrong.length > 0) return wrong.join("\n");
  const ids = trades.map(({ id }) => id);
  const laws = await broken(world.sql, ids);
  return laws.length === 0 ? null : [...laws, ...trades.map(asStory)].join("\n");
}

function asStory({ id, fault, story }: Played): string {
  return [`trade ${id}: ${fault ?? "by the model all went well"}`, ...story].join("\n");
}

function told(verdict: fc.RunDetails<[Plan]>, seed: number): string {
  const { counterexample, counterexamplePath, errorInstance } = verdict;
  const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return [
    `seed ${seed}, path ${counterexamplePath}, shrunk ${verdict.numShrinks} times to:`,
    JSON.stringify(counterexample?.[0]),
    what,
    `Again: FAULTS_SEED=${seed} FAULTS_PATH=${counterexamplePath} bun test tests/faults/simulator/simulator.test.ts`,
  ].join("\n");
}
