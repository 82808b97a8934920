import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { connectDatabase, disconnectDatabase, openClient } from "../../db/client.ts";
import {
  type DurablePostgres,
  type Standby,
  startDurablePostgres,
} from "../support/database/durable-postgres.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import { freePort, type Server, startServer, testAdministrator } from "../support/server/midman-server.ts";
import { startFaultProxy } from "../support/services/fault-proxy.ts";
import { plantTrade } from "../support/trades/planted-trades.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Lists and searches of the back office come from a replica (DATABASE_REPLICA_URL) for as long as it follows. */

setDefaultTimeout(120_000);

let primary: DurablePostgres;
let standby: Standby;
let server: Server;
beforeAll(async () => {
  primary = await startDurablePostgres();
  standby = await primary.standby();
  server = await startServer({
    databaseUrl: primary.url,
    environment: { DATABASE_REPLICA_URL: standby.url, METRICS_TOKEN: "m".repeat(32) },
  });
  connectDatabase(primary.url);
}, 120_000);
afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
  await standby?.stop();
  await primary?.stop();
}, 60_000);

async function desk(of: Server) {
  const admin = of.client();
  expectStatus(await admin.post("/api/admin/login", testAdministrator), 200);
  const listed = async () =>
    expectStatus(await admin.get("/api/admin/transactions"), 200).body.length as number;
  return { admin, listed };
}

async function replay(what: "pause" | "resume"): Promise<void> {
  const client = openClient(standby.url, { max: 1 });
  await client.unsafe(`SELECT pg_wal_replay_${what}()`);
  const state = what === "pause" ? "paused" : "not paused";
  await waitUntil(async () => {
    const [row] = await client`SELECT pg_get_wal_replay_pause_state() AS is`;
    return row?.is === state;
  });
  await client.end();
}

async function countReplicatedTrades(): Promise<number> {
  const client = openClient(standby.url, { max: 1 });
  const [row] = await client`SELECT count(*)::int AS count FROM escrow.trades`;
  await client.end();
  return row?.count;
}

/** Seconds that the replica is behind, by the instance's own figures. */
async function behind(): Promise<number> {
  const headers = { Authorization: `Bearer ${"m".repeat(32)}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  const seconds = /^midman_database_replica_behind_seconds (\S+)$/m.exec(text)?.[1];
  return seconds === "+Inf" ? Number.POSITIVE_INFINITY : Number(seconds);
}

test("a list is read from the replica, one trade from the primary; a lagging replica is not used", async () => {
  const { admin, listed } = await desk(server);
  const first = await plantTrade();
  // The primary answers too while the replica is not followed, so the list alone does not show that the row has arrived there.
  await waitUntil(async () => (await countReplicatedTrades()) === 1 && (await behind()) < 2);
  await waitUntil(async () => (await listed()) === 1);
  await replay("pause");
  try {
    const second = await plantTrade();
    expect(await listed()).toBe(1);
    expect(await listed()).toBe(1);
    expectStatus(await admin.get(`/api/admin/transactions?before=${second.id}`), 200);
    expect(server.output()).toContain("the row to go on from is not there yet");
    for (const { id } of [first, second]) expectStatus(await admin.get(`/api/admin/transactions/${id}`), 200);
    await waitUntil(async () => (await listed()) === 2, 15_000);
    expect(await behind()).toBeGreaterThan(5);
  } finally {
    await replay("resume");
  }
  await waitUntil(async () => (await behind()) < 2, 15_000);
  expect(await listed()).toBe(2);
  expect(server.output()).toContain("the replica is too far behind");
});

test("a database that does not follow DATABASE_URL is never used, and an unreachable one delays nothing", async () => {
  const nobody = `postgres://midman@127.0.0.1:${await freePort()}/midman`;
  for (const [url, said] of [
    [primary.url, "DATABASE_REPLICA_URL is not a replica of DATABASE_URL"],
    [nobody, "DATABASE_REPLICA_URL does not answer"],
  ]) {
    const other = await startServer({
      databaseUrl: primary.url,
      environment: { DATABASE_REPLICA_URL: url ?? "" },
    });
    expect(await (await desk(other)).listed()).toBe(2);
    expect(other.output()).toContain(said ?? "");
    await other.stop();
  }
});

test("a stalled connection to the replica delays a list by five seconds, and only until it is checked", async () => {
  const line = await startFaultProxy(standby.url);
  const other = await startServer({
    databaseUrl: primary.url,
    environment: { DATABASE_REPLICA_URL: line.url },
  });
  const { listed } = await desk(other);
  expect(await listed()).toBe(2);
  line.behave({ stalled: true });
  const from = performance.now();
  expect(await listed()).toBe(2);
  expect(performance.now() - from).toBeLessThan(8_000);
  await waitUntil(() => other.output().includes("DATABASE_REPLICA_URL does not answer"), 15_000);
  const again = performance.now();
  expect(await listed()).toBe(2);
  expect(performance.now() - again).toBeLessThan(3_000);
  await other.stop();
  await line.close();
});

test("the loss of the replica during lists is not noticeable", async () => {
  const { listed } = await desk(server);
  await standby.stop();
  for (let times = 0; times < 30; times++) expect(await listed()).toBe(2);
  await waitUntil(async () => (await behind()) > 5, 15_000);
});
