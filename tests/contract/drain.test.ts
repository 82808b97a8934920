import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { makeRoomPair } from "../support/people/registered-people.ts";
import { createHttpClient } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { rawExchange } from "../support/server/raw-exchange.ts";
import { openRoomSocket } from "../support/server/room-sockets.ts";
import { holdRows } from "../support/trades/sandbox-trades.ts";

/** How an instance ends: what it still answers, in which order it lets go, and how soon it is gone. */

setDefaultTimeout(60_000);

let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  database = await freshDatabase();
  connectDatabase(database.url);
}, 60_000);
afterAll(async () => {
  await disconnectDatabase();
  await database?.drop();
});

const start = (environment: Record<string, string> = {}) =>
  startServer({ databaseUrl: database.url, environment });

/** Asked to end by a signal; resolves to how long it took, in milliseconds. */
async function ended(server: Server): Promise<number> {
  const from = performance.now();
  await server.stop();
  return performance.now() - from;
}

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Until it says that it is going. */
async function untilLeaving({ url }: Server): Promise<void> {
  for (let tries = 0; (await fetch(`${url}/readyz`)).status !== 503; tries++) {
    if (tries > 100) throw new Error("it never said that it was going");
    await Bun.sleep(10);
  }
}

test("a proxy's health check need not send a host; everything else must", async () => {
  const server = await start();
  const status = async (text: string) => (await rawExchange(server.port, text)).slice(0, 12);
  for (const path of ["/readyz", "/healthz"]) {
    expect(await status(`GET ${path} HTTP/1.0\r\n\r\n`)).toBe("HTTP/1.1 200");
    expect(await status(`HEAD ${path} HTTP/1.0\r\n\r\n`)).toBe("HTTP/1.1 200");
  }
  for (const path of ["/", "/metrics", "/api/auth/user", "/readyz/x", "/chat/1"])
    expect(await status(`GET ${path} HTTP/1.0\r\n\r\n`)).toBe("HTTP/1.1 400");
  expect(await status("OPTIONS / HTTP/1.0\r\n\r\n")).toBe("HTTP/1.1 400");
  expect(server.output()).not.toContain("Invalid URL");
  await server.stop();
});

test("a stopping instance says so, keeps serving without keep-alive, and only then closes its sockets", async () => {
  const server = await start({ DRAIN_SECONDS: "5" });
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const line = await openRoomSocket(seller.cookies(), server.url, roomId, seller.id);
  expect((await fetch(server.url)).headers.get("connection")).not.toBe("close");
  const going = ended(server);
  await untilLeaving(server);
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: "not ready", leaving: true }]);
  const served = [
    ["/", 200],
    ["/healthz", 200],
    ["/api/auth/user", 401],
    ["/nothing", 404],
    ["/icon.svg", 200],
    ["/chat", 303],
  ];
  const answers = served.map(async ([path]) => {
    const reply = await fetch(`${server.url}${path}`, { redirect: "manual" });
    return [path, reply.status, reply.headers.get("connection")];
  });
  expect(await Promise.all(answers)).toEqual(served.map((one) => [...one, "close"]));
  const late = await openRoomSocket(buyer.cookies(), server.url, roomId, buyer.id);
  const sent = await buyer.post(`/api/chat/rooms/${roomId}/messages`, { content: "in the last minute" });
  expect([sent.status, sent.headers.get("connection")]).toEqual([201, "close"]);
  expect(await Promise.all([line.closed, late.closed])).toEqual([1012, 1012]);
  expect(line.heard.some((frame) => frame.includes("in the last minute"))).toBe(true);
  const took = await going;
  expect(took).toBeGreaterThan(5_000);
  expect(server.status()).toBe(0);
});

test("running requests are answered when the listener closes, and no others are accepted", async () => {
  const server = await start();
  const { buyer, roomId } = await makeRoomPair(server);
  const release = await holdRows(
    sql`SELECT 1 FROM rooms.counters WHERE room_id = ${roomId} FOR UPDATE`,
    db(),
  );
  const posting = buyer.post(`/api/chat/rooms/${roomId}/messages`, { content: "slowly" });
  await Bun.sleep(300);
  const going = ended(server);
  let refused = false;
  for (let tries = 0; !refused && tries < 200; tries++) {
    refused = await fetch(`${server.url}/healthz`).then(
      () => false,
      () => true,
    );
    await Bun.sleep(10);
  }
  expect(refused).toBe(true);
  expect(isThere(server.pid)).toBe(true);
  await release();
  expect((await posting).status).toBe(201);
  await going;
  expect(server.status()).toBe(0);
});

test("stopped once in development, it stops immediately; of two signals at the same moment the second is ignored", async () => {
  const server = await start();
  process.kill(server.pid, "SIGINT");
  expect(await ended(server)).toBeLessThan(8_000);
  expect(server.status()).toBe(0);
});

test("stopped a second time it ends immediately, whatever is running", async () => {
  const server = await start({ DRAIN_SECONDS: "15" });
  const going = ended(server);
  await untilLeaving(server);
  await Bun.sleep(1_100);
  expect((await createHttpClient(server.url).get("/healthz")).status).toBe(200);
  process.kill(server.pid, "SIGTERM");
  expect(await going).toBeLessThan(12_000);
  expect(server.status()).toBe(1);
});
