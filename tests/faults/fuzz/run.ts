import fc from "fast-check";
import { connectDatabase, disconnectDatabase } from "../../../db/client.ts";
import { type Api, apiOf } from "../../support/api/api-document.ts";
import type { Client } from "../../support/server/http-client.ts";
import { startServer } from "../../support/server/midman-server.ts";
import { startWaiting } from "../../support/server/waiting-time.ts";
import { findBookFaults } from "../../support/trades/trade-books.ts";
import type { Figures } from "../report.ts";
import { fuzzFrames } from "./frames.ts";
import { operationsOf, requestsFor, type Sent } from "./requests.ts";
import { changedBetween, digests, guardedDigest, jobsRested, timesMoneyLeft } from "./state.ts";
import { makeWorld, outsiders, type Role, roles, type World } from "./world.ts";

/**
 * Milliseconds that another request may wait at the longest while eight hostile ones are under way. One alone is held to a quarter of a
 * second (`tests/contract/hostile-bodies.test.ts`).
 */
const mostWaitMs = 1_000;
/** How many requests are under way at once, and after how many the tables are looked at. */
const atOnce = 8;
const batch = 40;

/** No word of what is inside may leave, wherever it comes from. */
const inside = /drizzle|postgres|node_modules|\bat \w+ \(|validation\.\w+|errors\.[A-Z]|SELECT |pgboss/i;
const faultsInLog = /PostgresError|TypeError|RangeError|ReferenceError|SyntaxError|Unhandled|"level":[56]0/;

type Told = { counts: Record<string, number>; failures: string[] };

/**
 * Sends generated requests for every operation of the API's document, and frames for its sockets, in the name of everybody. Promises:
 * no answer of 500 or more, every answer as the document says, no word of what is inside, nothing written by what was refused, nothing
 * of others' written by outsiders, no money moved by who must give their password first; at the end no fault in the server's log, and
 * sound books. The same seed sends the same.
 */
export async function run({
  seed,
  requests = 20_000,
  frames = Math.ceil(requests / 10),
}: {
  seed: number;
  requests?: number;
  frames?: number;
}): Promise<Figures> {
  const began = performance.now();
  const told: Told = { counts: { requests: 0, refused: 0, done: 0, frames: 0, looks: 0 }, failures: [] };
  const server = await startServer();
  connectDatabase(server.databaseUrl);
  try {
    const world = await makeWorld(server);
    const other = await startWaiting(server.url);
    const api = (await apiOf(server.url)) as Api;
    const operations = operationsOf(api.document);
    told.counts.operations = operations.length;
    const each = Math.ceil(requests / (operations.length * roles.length));
    for (const [at, role] of roles.entries()) {
      const seeded = { seed: seed + at, numRuns: each };
      const sent = operations.flatMap((one) => fc.sample(requestsFor(one, api.document, world.ids), seeded));
      await asRole(world, role, shuffled(sent, seed + at), told);
    }
    await fuzzFrames(world, api, { seed, frames }, told);
    const waited = await other.stop();
    told.counts["another waited at most, ms"] = waited;
    if (waited > mostWaitMs) told.failures.push(`another request waited for ${waited} ms`);
    if (!(await fetch(`${server.url}/readyz`)).ok) told.failures.push("the server does not stand any more");
    const logged = server
      .output()
      .split("\n")
      .filter((line) => faultsInLog.test(line));
    told.failures.push(...logged.map((line) => `logged: ${line.slice(0, 600)}`));
    told.failures.push(
      ...(await findBookFaults()).map((fault) => `the books: ${JSON.stringify(fault).slice(0, 400)}`),
    );
  } finally {
    await disconnectDatabase();
    await server.stop();
  }
  return {
    suite: "fuzz",
    seed: seed,
    ...told,
    seconds: Math.round((performance.now() - began) / 1000),
  };
}

/** Everything of one role, in batches, after each of which it is seen what was written. */
async function asRole(world: World, role: Role, sent: readonly Sent[], told: Told): Promise<void> {
  const guarded = outsiders.has(role) ? await guardedDigest(world) : undefined;
  const left = role === "staleAdmin" ? await timesMoneyLeft() : undefined;
  for (let from = 0; from < sent.length; from += batch) {
    const client = await world.as(role);
    await jobsRested();
    const before = await digests();
    const some = sent.slice(from, from + batch);
    const changing = await sendAll(client, role, some, told);
    told.counts.looks = (told.counts.looks ?? 0) + 1;
    if (changing.length === 0) {
      const changed = changedBetween(before, await digests());
      if (changed.length > 0) {
        told.failures.push(`${role}: ${changed.join(", ")} written, though all was refused: ${listed(some)}`);
      }
    }
    if (guarded !== undefined && (await guardedDigest(world)) !== guarded) {
      told.failures.push(`${role}: others' trades written: ${listed(changing)}`);
      return;
    }
  }
  if (left !== undefined && (await timesMoneyLeft()) !== left) told.failures.push(`${role}: money left`);
}

/** Sends some at once; answers those that may have changed something: writes that were not refused. */
async function sendAll(client: Client, role: Role, some: readonly Sent[], told: Told): Promise<Sent[]> {
  const changing: Sent[] = [];
  const queue = [...some];
  const work = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const status = await sendOne(client, role, one, told);
      if (status < 400 && !["GET", "HEAD", "OPTIONS"].includes(one.method)) changing.push(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return changing;
}

async function sendOne(client: Client, role: Role, one: Sent, told: Told): Promise<number> {
  const { counts, failures } = told;
  counts.requests = (counts.requests ?? 0) + 1;
  try {
    const reply = await client.send(one.method, one.path, one.body, one.headers);
    const count = reply.status < 400 ? "done" : "refused";
    counts[count] = (counts[count] ?? 0) + 1;
    if (reply.status >= 500)
      failures.push(`${role} ${shown(one)}: ${reply.status} ${reply.text.slice(0, 300)}`);
    if (reply.status >= 400 && inside.test(reply.text)) {
      failures.push(`${role} ${shown(one)}: speaks of the inside: ${reply.text.slice(0, 300)}`);
    }
    return reply.status;
  } catch (error) {
    failures.push(`${role} ${shown(one)}: ${error instanceof Error ? error.message : error}`);
    return 0;
  }
}

function shown({ method, path, body, headers }: Sent): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return `${method} ${path.slice(0, 200)} ${JSON.stringify(headers)} ${text?.slice(0, 300) ?? ""}`;
}

const listed = (some: readonly Sent[]) => some.map((one) => shown(one).slice(0, 160)).join(" ¦ ");

/** In an order of its own for each seed, so that one operation's requests do not all follow each other. */
function shuffled<T>(all: readonly T[], seed: number): T[] {
  const keys = fc.sample(fc.nat(), { seed, numRuns: all.length });
  return all
    .map((one, at) => ({ one, key: keys[at] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one);
}

if (import.meta.main) {
  const seed = Number(process.env.FUZZ_SEED ?? 20_261_122);
  const requests = Number(process.env.FUZZ_REQUESTS ?? 20_000);
  const figures = await run({ seed, requests });
  console.log(JSON.stringify(figures, null, 2));
  console.log(
    `replay: FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests} bun --preload ./tests/support/environment.ts tests/faults/fuzz/run.ts`,
  );
  process.exit(figures.failures.length === 0 ? 0 : 1);
}
