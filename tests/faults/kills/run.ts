import { isUnavailable } from "../../../db/client/connection-errors.ts";
import { connectDatabase, disconnectDatabase } from "../../../db/client.ts";
import {
  makeRoomOf,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../../support/people/registered-people.ts";
import { pickItem, seededRandom } from "../../support/seeded-random.ts";
import { type FragileInstances, startFragileInstances } from "../../support/server/fragile-instances.ts";
import { type Client, createHttpClient, type Reply } from "../../support/server/http-client.ts";
import type { ServerTrade } from "../../support/trades/server-trades.ts";
import { findBookFaults as brokenBooks } from "../../support/trades/trade-books.ts";
import type { Figures } from "../report.ts";
import { broken, leftUndone } from "./proof.ts";
import { at, createStory, type Kind, kinds, type Step } from "./scripts.ts";

export type Options = {
  seed: number;
  /** Instances killed, of both together. */
  kills: number;
  /** How often Postgres is stopped at once and started again meanwhile. */
  restarts: number;
  /** Trades that are under way side by side. */
  lanes: number;
  /** How the trades go, in turn. */
  kinds: readonly Kind[];
  /** Whether to wait until no job and no mail is left: the lease of a mail in a killed hand lasts a minute. */
  toTheLastJob: boolean;
  /** Minutes a step may take to come through. */
  minutes: number;
  progress?: (words: string) => void;
};

export const full = { kills: 220, restarts: 20, lanes: 5, kinds, toTheLastJob: true, minutes: 8 };

const STEPS_BETWEEN = 3;
const PATIENCE_MS = 10_000;

type Run = {
  world: FragileInstances;
  options: Options;
  next: () => number;
  counts: Record<string, number>;
  failures: string[];
  /** What is under way just now, and how many steps have come through. */
  doing: Set<Step>;
  through: number;
  killing: boolean;
};

/**
 * Trades go on over two instances, each of which is killed (SIGKILL) and started again, again and again, at points of chance:
 * one of them, or both, while people act and while jobs run; and Postgres is stopped at once and started again. Whoever was
 * cut off repeats what they did. In the end every trade is whole, every event booked once, and no job or mail is left behind.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const counts: Record<string, number> = { kills: 0, postgresRestarts: 0, trades: 0 };
  const failures: string[] = [];
  const world = await startFragileInstances();
  connectDatabase(world.postgres.url);
  const next = seededRandom(options.seed);
  const mine: Run = { world, options, next, counts, failures, doing: new Set(), through: 0, killing: true };
  try {
    const pairs = await Promise.all(Array.from({ length: options.lanes }, () => newPair(world)));
    const killers = [0, 1].map((which) => kill(mine, which));
    const lanes = pairs.map((pair, i) => lane(mine, pair, i));
    const killed = Promise.all([...killers, restartPostgres(mine)]).then(() => {
      mine.killing = false;
    });
    await Promise.all([killed, ...lanes]);
    if (options.toTheLastJob) failures.push(...(await untilNothingIsLeft()));
    for (const fault of await brokenBooks()) failures.push(`books: ${JSON.stringify(fault)}`);
  } catch (error) {
    failures.push(String(error));
  } finally {
    await disconnectDatabase();
    await world.close();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "kills", seed: options.seed, counts, failures, seconds };
}

async function newPair({ servers }: FragileInstances): Promise<{ seller: Person; buyer: Person }> {
  const [server] = servers;
  if (server === undefined) throw new Error("an instance was to be there");
  const [seller, buyer] = await Promise.all([
    registerPerson(server, "Seller One"),
    registerPerson(server, "Buyer Two"),
  ]);
  return { seller, buyer };
}

/**
 * Kills one instance its half of the times, each at a moment of chance after a few more steps have come through, or none has for
 * a while: so that no step is met much oftener than another.
 */
async function kill(run: Run, which: number): Promise<void> {
  const { world, options, next, counts, failures } = run;
  for (let i = which; i < options.kills; i += 2) {
    const from = run.through;
    for (let waited = 0; run.through - from < STEPS_BETWEEN && waited < PATIENCE_MS; waited += 20)
      await Bun.sleep(20);
    await Bun.sleep(next() * 600);
    const names = [...run.doing].map(({ name }) => `killed during "${name}"`);
    for (const name of ["kills", ...names]) counts[name] = (counts[name] ?? 0) + 1;
    options.progress?.(`kill ${counts.kills} of ${options.kills}, ${counts.trades} trades`);
    await world
      .reborn(which)
      .catch((error) => failures.push(`instance ${which} did not start again: ${error}`));
  }
}

/** Postgres goes without a word to disk, and recovers, while people act and jobs run. */
async function restartPostgres({ world, options, next, counts, failures }: Run): Promise<void> {
  for (let i = 0; i < options.restarts; i++) {
    await Bun.sleep(1_000 + next() * 6_000);
    counts.postgresRestarts = (counts.postgresRestarts ?? 0) + 1;
    await world.postgres.stopAtOnce();
    await Bun.sleep(next() * 500);
    await world.postgres.start().catch((error) => failures.push(String(error)));
  }
}

/** One trade after the other, until nothing is killed any more. */
async function lane(mine: Run, pair: { seller: Person; buyer: Person }, number: number): Promise<void> {
  const { world, options, next, counts, failures, doing } = mine;
  const any = () => pickItem(world.servers, next).url;
  const admin = () => signedIn(any);
  for (let round = number; ; round++) {
    const kind = options.kinds[round % options.kinds.length] ?? "completed";
    const roomId = await room(pair, any);
    const deal: ServerTrade = { ...pair, roomId, id: 0, invoiceId: "" };
    const { steps, ending } = createStory(kind, deal, { any, admin });
    try {
      for (const step of steps) {
        doing.add(step);
        await carryThrough(step, options.minutes, failures);
        doing.delete(step);
        mine.through += 1;
      }
    } catch (error) {
      failures.push(`trade ${deal.id} (${kind}): ${error}`);
      return;
    }
    failures.push(...(await patiently(() => broken({ deal, steps, ending }))));
    counts.trades = (counts.trades ?? 0) + 1;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (!mine.killing) return;
  }
}

/** Reads our rows again while Postgres is being restarted. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!isUnavailable(error) || tries > 100) throw error;
      await Bun.sleep(200);
    }
  }
}

async function signedIn(any: () => string): Promise<Client> {
  return signInAdministrator({ client: () => createHttpClient(any(), {}, 15_000) });
}

/** A further room of two; what was made and not answered stays empty. */
async function room(pair: { seller: Person; buyer: Person }, any: () => string): Promise<number> {
  for (let tries = 0; ; tries++) {
    const here = { seller: at(pair.seller, { any }), buyer: at(pair.buyer, { any }) };
    const made = await makeRoomOf(here).catch((error: Error) => error);
    if (!(made instanceof Error)) return made.roomId;
    if (tries > 1_000) throw made;
    await Bun.sleep(250);
  }
}

/** Repeats a step until it is answered with success. What was cut off and what is not ready yet comes again. */
async function carryThrough(step: Step, minutes: number, failures: string[]): Promise<void> {
  let last = "never answered";
  for (const from = Date.now(); Date.now() - from < minutes * 60_000; await Bun.sleep(150)) {
    const reply: Reply | Error = await step.run().catch((error: Error) => error);
    if (!(reply instanceof Error) && reply.status < 300) return;
    last = reply instanceof Error ? reply.message : `${reply.status} ${reply.text.slice(0, 200)}`;
    if (reply instanceof Error) continue;
    if ([400, 401, 403, 404, 422].includes(reply.status)) break;
    if (reply.status === 500) failures.push(`${step.name}: ${last}`);
  }
  throw new Error(`${step.name}: ${last}`);
}

/** Jobs of killed workers come back within seconds; mails within the minute of their lease. */
async function untilNothingIsLeft(): Promise<string[]> {
  let left: string[] = [];
  for (const from = Date.now(); Date.now() - from < 180_000; await Bun.sleep(500)) {
    left = await leftUndone();
    if (left.length === 0) return [];
  }
  return left.map((what) => `left undone: ${what}`);
}
