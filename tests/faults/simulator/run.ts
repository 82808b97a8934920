import fc from "fast-check";
import type { Figures } from "../report.ts";
import { broken } from "./invariants.ts";
import type { Rules } from "./model/state.ts";
import { type Rolled, resolved, rolls } from "./plan.ts";
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
  /** Plays the seed's plan again and again, as a failing run named it; with `trade` that one alone, made smaller by `path`. */
  path?: string | undefined;
  trade?: number | undefined;
  /** Is told now and then how far it has come. */
  progress?: (words: string) => void;
};

/** The full figures of `targets.md`. */
export const full = { interleavings: 10_000, worlds: 3 };

type Counts = Record<string, number>;

/** Trades that are played side by side in a world. */
const ABREAST = 10;
/** How often a plan is tried while it is made smaller, and when it is played again. */
const TRIES = 5;
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
      options.progress?.(`${counts.interleavings ?? 0} interleavings in ${counts.histories ?? 0} trades`);
      if (path !== undefined || performance.now() > until || (counts.interleavings ?? 0) >= interleavings)
        break;
    }
    return [...(failure === null ? [] : [failure]), ...(await faultsOf(world))];
  } finally {
    await world.stop();
  }
}

/** Plays the one plan of a seed; should it fail, the trade that did is played alone and made smaller. */
async function playSeed(world: World, options: Options, counts: Counts): Promise<string | null> {
  const { seed, trade, path } = options;
  const plan = fc.sample(rolls(ABREAST), { seed, numRuns: 1 })[0] as Rolled;
  if (trade !== undefined) return smaller(world, alone(plan, trade), { seed, trade, path });
  for (let left = path === undefined ? 1 : TRIES; left > 0; left--) {
    const wrong = await once(world, plan, counts);
    if (wrong === null) continue;
    const shrunk =
      wrong.trade < 0 ? null : await smaller(world, alone(plan, wrong.trade), { seed, trade: wrong.trade });
    return [
      `Again: FAULTS_SEED=${seed} FAULTS_PATH=all ${COMMAND}`,
      wrong.story,
      shrunk ?? "Alone it did not fail.",
    ].join("\n");
  }
  return null;
}

const alone = ({ hours, trades }: Rolled, trade: number): Rolled => ({
  hours,
  trades: trades.slice(trade, trade + 1),
});

type Place = { seed: number; trade: number; path?: string | undefined };

/** Has fast-check find the smallest plan that fails; each is tried several times, for what goes wrong need not each time. */
async function smaller(world: World, plan: Rolled, { seed, trade, path }: Place): Promise<string | null> {
  const until = performance.now() + SHRINKING_MS;
  const property = fc.asyncProperty(rolls(1), async (rolled) => {
    for (let left = TRIES; left > 0 && performance.now() < until; left--) {
      const wrong = await once(world, rolled, {});
      if (wrong !== null) throw new Error(wrong.story);
    }
  });
  const { failed, counterexample, counterexamplePath, errorInstance, numShrinks } = await fc.check(property, {
    ...{ seed, numRuns: 1, examples: [[plan]] },
    ...(path !== undefined && { path, endOnFailure: true }),
  });
  const found = counterexample?.[0];
  if (!failed || found === undefined) return null;
  const smallest = resolved(found, world.rules);
  return [
    `Again, smaller: FAULTS_SEED=${seed} FAULTS_TRADE=${trade} FAULTS_PATH=${counterexamplePath} ${COMMAND}`,
    `seed ${seed}, trade ${trade}, shrunk ${numShrinks} times to ${JSON.stringify(smallest)}`,
    errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
  ].join("\n");
}

const COMMAND = "bun test tests/faults/simulator/simulator.test.ts";

/** What went wrong, and in which trade of the plan; -1 where that is none of them alone. */
type Wrong = { trade: number; story: string };

async function once(world: World, rolled: Rolled, counts: Counts): Promise<Wrong | null> {
  const plan = resolved(rolled, world.rules);
  const trades = await play(world, plan).catch((error: Error) => error);
  // An answer that no document knows, such as a 500; what the instances logged of it is told with the world's faults.
  if (trades instanceof Error) return { trade: -1, story: trades.stack ?? trades.message };
  tally(counts, plan, trades);
  const faulty = trades.findIndex(({ fault }) => fault !== null);
  const first = trades[faulty];
  if (first !== undefined) return { trade: faulty, story: asStory(first) };
  const laws = await broken(
    world.sql,
    trades.map(({ id }) => id),
  );
  if (laws.length === 0) return null;
  for (const [trade, one] of trades.entries()) {
    const own = await broken(world.sql, [one.id]);
    if (own.length > 0) return { trade, story: [...own, asStory(one)].join("\n") };
  }
  return { trade: -1, story: laws.join("\n") };
}

function asStory({ id, fault, story }: Played): string {
  return [`trade ${id}: ${fault ?? "by the model all went well"}`, ...story].join("\n");
}
