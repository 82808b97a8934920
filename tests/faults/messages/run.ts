import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { makeRoomOf, registerPerson } from "../../support/people/registered-people.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type FragileInstances, startFragileInstances } from "../../support/server/fragile-instances.ts";
import { findBookFaults as brokenBooks } from "../../support/trades/trade-books.ts";
import type { Figures } from "../report.ts";
import { Member } from "./member.ts";
import { prove } from "./proof.ts";
import { faults, forecast } from "./storm.ts";

export type Options = {
  seed: number;
  rooms: number;
  /** Said in each room, half by each of its two members. */
  messages: number;
  /** How often something is broken meanwhile. */
  faults: number;
  /** How long the longer faults last, against the full run's. */
  scale: number;
  /** Milliseconds that a socket may owe an acknowledgement. */
  patience: number;
  /** Minutes after which a run that has not ended has failed. */
  minutes: number;
  /** Told of each fault as it begins. */
  progress?: (words: string) => void;
};

/** As `bun run faults` runs it: the 100,000 messages of the targets. */
export const full = { rooms: 100, messages: 1_000, faults: 110, scale: 1, patience: 4_000, minutes: 30 };

/** Rooms each pair of people shares. */
const ROOMS_EACH = 5;

/**
 * Says messages in many rooms over two instances while everything around them breaks, and proves in the end that each stands
 * once, in its order, and that every member sees just that.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const world = await startFragileInstances();
  connectDatabase(world.postgres.url);
  let members: Member[] = [];
  try {
    members = await gather(world, options);
    const saying = performance.now();
    await settled(world, members, options, { counts, failures });
    counts.messagesPerSecond = Math.round(
      (options.rooms * options.messages) / ((performance.now() - saying) / 1000),
    );
    failures.push(...members.flatMap((member) => member.faults));
    Object.assign(counts, told(members), await prove(members, failures));
    if (counts.sent !== counts.acknowledged || counts.sent !== counts.stored)
      failures.push(`${counts.sent} sent, ${counts.acknowledged} acknowledged, ${counts.stored} stored`);
    await proveLogged(counts, failures);
  } finally {
    for (const member of members) member.stop();
    await disconnectDatabase();
    await world.close();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "messages", seed: options.seed, counts, failures, seconds };
}

/** Pairs of people, each with rooms of their own, and what each of them will say. */
async function gather(world: FragileInstances, options: Options): Promise<Member[]> {
  const { rooms, messages, seed, patience } = options;
  const next = seededRandom(seed + 1);
  const [server] = world.servers;
  if (server === undefined) throw new Error("an instance was to be there");
  const doors = world.doors.map(({ url }) => url);
  const members: Member[] = [];
  for (let made = 0; made < rooms; made += ROOMS_EACH) {
    const [seller, buyer] = await Promise.all([
      registerPerson(server, "Seller One"),
      registerPerson(server, "Buyer Two"),
    ]);
    for (let i = 0; i < Math.min(ROOMS_EACH, rooms - made); i++) {
      const { roomId } = await makeRoomOf({ seller, buyer });
      for (const person of [seller, buyer]) {
        const says = Array.from({ length: messages / 2 }, (_, n) => `${roomId} ${person.id} ${n + 1} баяр`);
        const seat = { roomId, userId: person.id, cookies: person.cookies(), doors, says, patience, next };
        members.push(new Member(seat));
      }
    }
  }
  return members;
}

type Findings = { counts: Record<string, number>; failures: string[] };

/** All members send while the storm injects faults. Returns once every message is acknowledged and seen, or the time is over. */
async function settled(
  world: FragileInstances,
  members: Member[],
  options: Options,
  found: Findings,
): Promise<void> {
  const end = Date.now() + options.minutes * 60_000;
  const talk = { begun: 0, acknowledged: 0, allowed: 0 };
  for (const member of members) member.listen();
  const turn = async () => {
    while (talk.begun >= talk.allowed) await Bun.sleep(20);
    talk.begun += 1;
  };
  const told = () => {
    talk.acknowledged += 1;
  };
  const spoken = Promise.all(members.map((member) => member.speak(turn, told)));
  await storm(world, options, found, end, talk);
  talk.allowed = Number.POSITIVE_INFINITY;
  const over = await Promise.race([spoken, Bun.sleep(Math.max(0, end - Date.now())).then(() => "late")]);
  if (over === "late") found.failures.push(`not all was acknowledged within ${options.minutes} minutes`);
  await seenByAll(members, end, found.failures);
}

/** How much was said, how much of it is acknowledged, and how much may be said for now. */
type Talk = { begun: number; acknowledged: number; allowed: number };

/**
 * One fault after the other, each when so much more has been acknowledged, and while so much more may be said: every one of
 * them meets a talk that goes on.
 */
async function storm(
  world: FragileInstances,
  options: Options,
  { counts, failures }: Findings,
  end: number,
  talk: Talk,
): Promise<void> {
  const next = seededRandom(options.seed);
  const total = options.rooms * options.messages;
  const names = forecast(options.faults, next);
  for (const [i, name] of names.entries()) {
    const share = total / (names.length + 1);
    talk.allowed = share * (i + 2);
    while (talk.acknowledged < share * (i + 0.5) && Date.now() < end) await Bun.sleep(20);
    if (Date.now() >= end) return;
    options.progress?.(`${talk.acknowledged} of ${total} acknowledged, fault ${i + 1}: ${name}`);
    counts[name] = (counts[name] ?? 0) + 1;
    await faults[name]?.(world, next, options.scale).catch((error) => failures.push(`${name}: ${error}`));
  }
}

/** Once all is well again, hints that were lost are made good by the heartbeat at the latest. */
async function seenByAll(members: Member[], end: number, failures: string[]): Promise<void> {
  const rows = await db().execute<{ room_id: string; last_seq: string }>(
    sql`SELECT room_id, last_seq FROM rooms.counters`,
  );
  const last = new Map(rows.map(({ room_id, last_seq }) => [Number(room_id), Number(last_seq)]));
  const behind = () => members.filter(({ seat, view }) => view.whole < (last.get(seat.roomId) ?? 0));
  while (behind().length > 0 && Date.now() < end) await Bun.sleep(50);
  for (const { view } of behind()) failures.push(`${view.name}: never saw more than ${view.whole}`);
}

function told(members: readonly Member[]): Record<string, number> {
  const sum = (of: (member: Member) => number) => members.reduce((total, member) => total + of(member), 0);
  return {
    members: members.length,
    sent: sum(({ said }) => said.length),
    acknowledged: sum(
      ({ said, acknowledged }) => said.filter((one) => acknowledged.has(one.clientId)).length,
    ),
    tries: sum(({ counts }) => counts.tries),
    postedByHttp: sum(({ counts }) => counts.posted),
    socketsOpened: sum(({ counts }) => counts.sockets),
    fetchedAfterGaps: sum(({ view }) => view.fetched),
  };
}

/** The log has each message once, and its chain holds. */
async function proveLogged(counts: Record<string, number>, failures: string[]): Promise<void> {
  const [logged] = await db().execute<{ count: string; subjects: string }>(sql`
    SELECT count(*) AS count, count(DISTINCT subject_id) AS subjects FROM audit.entries WHERE action = 'message_sent'`);
  counts.logged = Number(logged?.count);
  if (counts.logged !== counts.stored || Number(logged?.subjects) !== counts.stored)
    failures.push(`the log has ${counts.logged} of ${counts.stored} messages`);
  for (const fault of await brokenBooks()) failures.push(`books: ${JSON.stringify(fault)}`);
}
