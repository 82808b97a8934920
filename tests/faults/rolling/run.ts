import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { type DurablePostgres, startDurablePostgres } from "../../support/database/durable-postgres.ts";
import { makeRoomOf, type Person, registerPerson } from "../../support/people/registered-people.ts";
import { createHttpClient } from "../../support/server/http-client.ts";
import { freePort, type Server, startServer, startServers } from "../../support/server/midman-server.ts";
import { type Haproxy, startHaproxy } from "../../support/services/haproxy.ts";
import { startRedis, type TestRedis } from "../../support/services/redis.ts";
import { findBookFaults as brokenBooks } from "../../support/trades/trade-books.ts";
import { prove } from "../messages/proof.ts";
import type { Figures } from "../report.ts";
import { filling, posting, reading, type Worker } from "./load.ts";
import { beBrowser, Phone } from "./phone.ts";

export type Options = {
  seed: number;
  /** How often an instance is asked to end (SIGTERM) and started again, the one and the other in turn. */
  restarts: number;
  /** Rooms of two people, each with a phone whose socket stays open. */
  rooms: number;
  /** Seconds between being asked to end and ending; the product's own default behind a proxy where it is left out. */
  drainSeconds?: number;
  progress?: (words: string) => void;
};

export const full = { restarts: 24, rooms: 40 };

/** Two instances on one Postgres and one Redis, behind one haproxy. */
export type World = {
  postgres: DurablePostgres;
  redis: TestRedis;
  servers: Server[];
  proxy: Haproxy;
  /** Asks an instance to end, waits for its end, and starts it again; ends once the proxy has taken it back. */
  renew(which: number): Promise<{ status: number | null; ms: number }>;
  close(): Promise<void>;
};

export async function behindProxy(drainSeconds?: number): Promise<World> {
  const [postgres, redis, port] = await Promise.all([startDurablePostgres(), startRedis(), freePort()]);
  const environment = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: "true",
    DRAIN_SECONDS: String(drainSeconds ?? ""),
  };
  const dataDir = mkdtempSync(join(tmpdir(), "midman-rolling-"));
  const shared = { databaseUrl: postgres.url, redisUrl: redis.url, dataDir, environment };
  const servers = await startServers(2, shared);
  const proxy = await startHaproxy(
    port,
    servers.map((server) => server.port),
  );
  const bothUp = async () => {
    for (let tries = 0; (await proxy.up()) < 2; tries++) {
      if (tries > 600) throw new Error("the proxy does not take both instances");
      await Bun.sleep(50);
    }
  };
  await bothUp();
  return {
    postgres,
    redis,
    servers,
    proxy,
    renew: async (which) => {
      const server = servers[which];
      if (server === undefined) throw new Error(`there is no instance ${which}`);
      const from = performance.now();
      await server.stop();
      const ended = { status: server.status(), ms: performance.now() - from };
      servers[which] = await startServer({ ...shared, port: server.port });
      await bothUp();
      return ended;
    },
    close: async () => {
      await proxy.stop();
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all([postgres.stop(), redis.stop()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * People read, post, fill in forms and talk over open sockets while the instances are restarted one after the other. No request may
 * fail, though none is repeated by who asks; no message may be missing or stand twice.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const world = await behindProxy(options.drainSeconds);
  connectDatabase(world.postgres.url);
  const leave = beBrowser(world.proxy.url);
  const phones: Phone[] = [];
  try {
    const people = await gather(world, options.rooms, phones);
    const posted: string[] = [];
    let goes = true;
    const workers = load(world, people, () => goes, posted);
    const talk = talking(phones, () => goes);
    await restarts(world, options, { counts, failures });
    goes = false;
    options.progress?.("restarted, what is under way ends");
    await Promise.all([talk, ...Object.values(workers).flatMap((some) => some.map(({ over }) => over))]);
    options.progress?.("everything was said");
    await seenByAll(phones, failures);
    options.progress?.("everything was seen");
    Object.assign(counts, told(workers, failures), away(phones), await prove(phones, failures));
    await provePosted(posted, counts, failures);
    await proveProxy(world, counts, failures);
    failures.push(...phones.flatMap(({ faults }) => faults));
    for (const fault of await brokenBooks()) failures.push(`books: ${JSON.stringify(fault)}`);
  } finally {
    for (const phone of phones) phone.stop();
    leave();
    await disconnectDatabase();
    await world.close();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "rolling", seed: options.seed, counts, failures, seconds };
}

type Guest = Person & { roomId: number };

/** Pairs with phones in rooms of their own, and two people in a further room who post and read beside them. */
async function gather(world: World, rooms: number, phones: Phone[]): Promise<Guest[]> {
  const { url } = world.proxy;
  const door = { client: () => createHttpClient(url, {}, 30_000) };
  for (let n = 0; n < rooms; n++) {
    const [seller, buyer] = await Promise.all([
      registerPerson(door, "Seller One"),
      registerPerson(door, "Buyer Two"),
    ]);
    const { roomId } = await makeRoomOf({ seller, buyer });
    for (const person of [seller, buyer]) phones.push(new Phone({ roomId, userId: person.id }, person, url));
  }
  const [seller, buyer] = await Promise.all([
    registerPerson(door, "Seller One"),
    registerPerson(door, "Buyer Two"),
  ]);
  const { roomId } = await makeRoomOf({ seller, buyer });
  for (let tries = 0; phones.some(({ isOpen }) => !isOpen) && tries < 200; tries++) await Bun.sleep(50);
  return [
    { ...seller, roomId },
    { ...buyer, roomId },
  ];
}

type Workers = { pages: Worker[]; posts: Worker[]; forms: Worker[] };

function load(world: World, people: Guest[], goes: () => boolean, posted: string[]): Workers {
  return {
    pages: [...people, ...people].map((person) => reading(goes, person, person.roomId)),
    posts: people.map((person) => posting(goes, person, person.roomId, (id) => posted.push(id))),
    forms: people.map(() => filling(goes, createHttpClient(world.proxy.url, {}, 30_000))),
  };
}

/** Every phone says something about every half second. */
function talking(phones: readonly Phone[], goes: () => boolean): Promise<unknown> {
  return Promise.all(
    phones.map(async (phone, i) => {
      await Bun.sleep((i * 500) / phones.length);
      for (let n = 1; goes(); n++) {
        await phone.say(`${phone.view.name} says ${n} баяр`);
        await Bun.sleep(500);
      }
    }),
  );
}

type Found = { counts: Record<string, number>; failures: string[] };

async function restarts(world: World, options: Options, { counts, failures }: Found): Promise<void> {
  counts.restarts = 0;
  counts.longestEndMs = 0;
  for (let n = 0; n < options.restarts; n++) {
    options.progress?.(`restart ${n + 1} of ${options.restarts}`);
    const { status, ms } = await world.renew(n % 2);
    if (status !== 0) failures.push(`instance ${n % 2} ended with ${status}`);
    counts.restarts += 1;
    counts.longestEndMs = Math.max(counts.longestEndMs, Math.round(ms));
    await Bun.sleep(500);
  }
}

/** What a lost hint left out, the heartbeat makes good. */
async function seenByAll(phones: readonly Phone[], failures: string[]): Promise<void> {
  const rows = await db().execute<{ room_id: string; last_seq: string }>(
    sql`SELECT room_id, last_seq FROM rooms.counters`,
  );
  const last = new Map(rows.map(({ room_id, last_seq }) => [Number(room_id), Number(last_seq)]));
  const behind = () => phones.filter(({ seat, view }) => view.whole < (last.get(seat.roomId) ?? 0));
  for (let tries = 0; behind().length > 0 && tries < 800; tries++) await Bun.sleep(50);
  for (const { view } of behind()) failures.push(`${view.name}: never saw more than ${view.whole}`);
}

function told(workers: Workers, failures: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  let [failed, longest] = [0, 0];
  for (const [kind, some] of Object.entries(workers)) {
    counts[kind] = some.reduce((sum, { tally }) => sum + tally.asked, 0);
    for (const { tally } of some) {
      failed += tally.failed.length;
      failures.push(...tally.failed);
      longest = Math.max(longest, tally.longestMs);
    }
  }
  return { ...counts, failedRequests: failed, longestRequestMs: Math.round(longest) };
}

function away(phones: readonly Phone[]): Record<string, number> {
  const all = phones.flatMap((phone) => phone.away).sort((a, b) => a - b);
  const at = (share: number) => Math.round(all[Math.floor((all.length - 1) * share)] ?? 0);
  return {
    phones: phones.length,
    said: phones.reduce((sum, { said }) => sum + said.length, 0),
    socketsClosed: all.length,
    socketAwayMedianMs: at(0.5),
    socketAwayMaxMs: at(1),
  };
}

/** What was answered with 201 stands once. */
async function provePosted(
  posted: string[],
  counts: Record<string, number>,
  failures: string[],
): Promise<void> {
  const rows = await db().execute<{ client_id: string; count: string }>(sql`
    SELECT client_id, count(*) AS count FROM rooms.messages WHERE content LIKE 'posted %' GROUP BY client_id`);
  const stored = new Map(rows.map(({ client_id, count }) => [client_id, Number(count)]));
  counts.postedStored = stored.size;
  const wrong = posted.filter((id) => stored.get(id) !== 1);
  if (wrong.length > 0 || stored.size !== posted.length)
    failures.push(`${posted.length} were posted, ${stored.size} are stored, ${wrong.length} not once`);
}

/** The proxy helped nobody twice who writes; what it did for readers is a figure. */
async function proveProxy(
  { proxy }: World,
  counts: Record<string, number>,
  failures: string[],
): Promise<void> {
  counts.triedAgainByProxy = (await proxy.count("wretr")) + (await proxy.count("wredis"));
  counts.connectionsRefused = await proxy.count("econ");
  counts.answersBroken = await proxy.count("eresp");
  if (counts.answersBroken > 0) failures.push(`${counts.answersBroken} answers were broken at the proxy`);
}
