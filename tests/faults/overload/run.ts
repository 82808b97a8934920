import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase, openClient } from "../../../db/client.ts";
import { freshDatabase } from "../../support/database/test-database.ts";
import { makeRoomOf, type Person, registerPerson } from "../../support/people/registered-people.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type Server, startServer } from "../../support/server/midman-server.ts";
import { startFaultProxy } from "../../support/services/fault-proxy.ts";
import { findBookFaults as brokenBooks } from "../../support/trades/trade-books.ts";
import { Member } from "../messages/member.ts";
import { prove } from "../messages/proof.ts";
import type { Figures } from "../report.ts";
import { proveTrades, Traders } from "./payments.ts";
import { storm } from "./storm.ts";

export type Options = {
  seed: number;
  /** In each of them one message a second is said. */
  rooms: number;
  /** Pairs who pay for trades meanwhile, one after the other. */
  traders: number;
  seconds: number;
  /** Connections of the instance's pool. */
  connections: number;
  /** How long the faults last, against the full run's. */
  scale: number;
  /** Seconds after which everything that waits must have been said and seen. */
  drainSeconds: number;
  progress?: (words: string) => void;
};

/** As `bun run faults overload` runs it. */
export const full = { rooms: 500, traders: 6, seconds: 600, connections: 6, scale: 1, drainSeconds: 240 };

const ROOMS_EACH = 25;
const TRADES_EACH = 60;
const METRICS_TOKEN = "m".repeat(32);

const OVER = "the time is over";

type World = { server: Server; members: Member[]; traders: Traders[]; answers: Answers };
type Answers = { acknowledged: number[]; refused: number[]; money: number[] };

/**
 * More is said than a small pool can take, while its connections are held, cut and stalled and people pay: whatever was acknowledged
 * stands once and in its order, and whatever was refused was told when to come again.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const fresh = await freshDatabase();
  const line = await startFaultProxy(fresh.url);
  const client = openClient(fresh.url, { max: 2 });
  const environment = { DATABASE_CONNECTIONS: String(options.connections), METRICS_TOKEN };
  const server = await startServer({ databaseUrl: line.url, environment });
  connectDatabase(fresh.url, 8);
  let world: World | undefined;
  try {
    world = await gather(server, options, { counts, failures });
    options.progress?.(`${world.members.length} members, ${world.traders.length} pairs of traders`);
    const next = seededRandom(options.seed);
    await speak(world, options, { counts, failures }, (end) =>
      storm({ line, client, next, scale: options.scale }, end, counts),
    );
    options.progress?.("all is said, and held against the tables");
    Object.assign(counts, told(world), await prove(world.members, failures));
    if (counts.said !== counts.acknowledged || counts.said !== counts.stored)
      failures.push(`${counts.said} said, ${counts.acknowledged} acknowledged, ${counts.stored} stored`);
    await proveTrades(world.traders, { counts, failures, answers: [] });
    await proveQuiet(server, counts, failures);
  } finally {
    for (const member of world?.members ?? []) member.stop();
    for (const pair of world?.traders ?? []) pair.stop();
    await server.stop();
    await disconnectDatabase();
    await client.end({ timeout: 1 });
    await line.close();
    await fresh.drop();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "overload", seed: options.seed, counts, failures, seconds };
}

type Findings = { counts: Record<string, number>; failures: string[] };

/** People who share rooms; in each room one of them speaks and both listen. */
async function gather(server: Server, options: Options, found: Findings): Promise<World> {
  const answers: Answers = { acknowledged: [], refused: [], money: [] };
  const next = seededRandom(options.seed + 1);
  const members: Member[] = [];
  for (let made = 0; made < options.rooms; made += ROOMS_EACH) {
    const people = {
      seller: await registerPerson(server, "Seller One"),
      buyer: await registerPerson(server, "Buyer Two"),
    };
    for (let i = 0; i < Math.min(ROOMS_EACH, options.rooms - made); i++) {
      const { roomId, seller, buyer } = await makeRoomOf(people);
      const seat = (person: Person, says: Iterable<string>) => ({
        ...{ roomId, userId: person.id, cookies: person.cookies(), says, next },
        ...{ doors: [`${server.url}/`], patience: 8_000 },
        answered: (outcome: string, ms: number) =>
          answers[outcome === "acknowledged" ? "acknowledged" : "refused"].push(ms),
      });
      members.push(new Member(seat(seller, sentences(roomId))), new Member(seat(buyer, [])));
    }
  }
  const traders: Traders[] = [];
  for (let n = 0; n < options.traders; n++) {
    const people = {
      seller: await registerPerson(server, "Seller One"),
      buyer: await registerPerson(server, "Buyer Two"),
    };
    const rooms: number[] = [];
    const count = Math.max(10, Math.ceil((TRADES_EACH * options.seconds) / full.seconds));
    while (rooms.length < count) rooms.push((await makeRoomOf(people)).roomId);
    traders.push(new Traders(people, rooms, { ...found, answers: answers.money }));
  }
  return { server, members, traders, answers };
}

function* sentences(roomId: number): Generator<string> {
  for (let n = 1; ; n++) yield `${roomId} ${n} баяр`;
}

/** Everybody says one message a second until the time is over, and goes on until what they said is acknowledged and seen. */
async function speak(
  { members, traders }: World,
  { seconds, drainSeconds, rooms, progress }: Options,
  { counts, failures }: Findings,
  storming: (end: number) => Promise<void>,
): Promise<void> {
  for (const member of members) member.listen();
  const began = Date.now();
  const end = began + seconds * 1_000;
  const speakers = members.filter((_, n) => n % 2 === 0);
  const speaking = speakers.map((member, n) => {
    let due = began + (n / rooms) * 1_000;
    const turn = async () => {
      await Bun.sleep(Math.max(0, due - Date.now()));
      // Who is behind says the next at once, but what could not be said in its second is not made up for later.
      due = Math.max(due + 1_000, Date.now() - 5_000);
      if (Date.now() >= end) throw new Error(OVER);
    };
    return member
      .speak(turn, () => {})
      .catch((error: Error) => {
        if (error.message !== OVER) failures.push(error.message);
      });
  });
  const trading = traders.map((pair) => pair.trade());
  await storming(end);
  for (const pair of traders) pair.stop();
  progress?.("the storm is over");
  counts.messagesPerSecond = Math.round(
    speakers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0) / ((Date.now() - began) / 1_000),
  );
  const late = Bun.sleep(drainSeconds * 1_000).then(() => "late");
  const done = Promise.all([...speaking, ...trading, seenByAll(members)]);
  if ((await Promise.race([done, late])) === "late")
    failures.push(`${drainSeconds} s after the storm not all was said, paid and seen`);
}

async function seenByAll(members: readonly Member[]): Promise<void> {
  for (;;) {
    const rows = await db().execute<{ room_id: string; last_seq: string }>(
      sql`SELECT room_id, last_seq FROM rooms.counters`,
    );
    const last = new Map(rows.map(({ room_id, last_seq }) => [Number(room_id), Number(last_seq)]));
    const unsaid = members.some(({ said, acknowledged }) =>
      said.some((one) => !acknowledged.has(one.clientId)),
    );
    const behind = members.some(({ seat, view }) => view.whole < (last.get(seat.roomId) ?? 0));
    if (!unsaid && !behind) return;
    await Bun.sleep(500);
  }
}

function told({ members, answers }: World): Record<string, number> {
  const sum = (of: (member: Member) => number) => members.reduce((total, member) => total + of(member), 0);
  return {
    members: members.length,
    said: sum(({ said }) => said.length),
    acknowledged: sum(
      ({ said, acknowledged }) => said.filter((one) => acknowledged.has(one.clientId)).length,
    ),
    refusedBySocket: sum(({ counts }) => counts.refusedBySocket),
    refusedByHttp: sum(({ counts }) => counts.refusedByHttp),
    postedByHttp: sum(({ counts }) => counts.posted),
    socketsOpened: sum(({ counts }) => counts.sockets),
    "acknowledged within, ms (half)": quantile(answers.acknowledged, 0.5),
    "acknowledged within, ms (99 %)": quantile(answers.acknowledged, 0.99),
    "refused within, ms (half)": quantile(answers.refused, 0.5),
    "refused within, ms (99 %)": quantile(answers.refused, 0.99),
    "money answered within, ms (99 %)": quantile(answers.money, 0.99),
  };
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
}

/** The books and the log hold, something was shed, and the driver never lost a connection to a transaction of nobody. */
async function proveQuiet(server: Server, counts: Record<string, number>, failures: string[]): Promise<void> {
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  for (const [, rank, reason, count] of (await metrics.text()).matchAll(
    /^midman_database_transactions_shed_total\{rank="(\w+)",reason="(\w+)"\} (\d+)$/gm,
  ))
    counts[`shed: ${rank}, ${reason}`] = Number(count);
  const output = server.output();
  if (output.includes("UNSAFE_TRANSACTION")) failures.push("UNSAFE_TRANSACTION stands in the log");
  for (const fault of await brokenBooks()) failures.push(`books: ${JSON.stringify(fault)}`);
}
