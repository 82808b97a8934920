import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { startBus, stopBus } from "#db/bus";
import { db } from "#db/client";
import { listEntries } from "#modules/audit";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { startRedis, type TestRedis } from "../../../../tests/support/services/redis.ts";
import { aPair, unthrottled } from "../core/rooms.fixture.ts";
import { readHistory } from "../messages/history.ts";
import { socketTimings } from "./limits.ts";
import { eventually, listen, openSocket } from "./socket.fixture.ts";
import { closeSockets, startRooms, stopRooms } from "./socket-lifecycle.ts";

/** Two processes with a real Redis between them. */

// Registered before the database's own hook, so it runs first.
afterAll(async () => {
  closeSockets();
  await stopRooms();
  here.stop();
  there.end("SIGKILL");
  await stopBus();
  await redis.stop();
});

const database = useDatabase();
unthrottled();
let redis: TestRedis;
let here: ReturnType<typeof listen>;
let there: Awaited<ReturnType<typeof anotherProcess>>;

beforeAll(async () => {
  socketTimings.heartbeat = 200;
  socketTimings.lease = 1000;
  redis = await startRedis();
  await startBus(redis.url);
  await startRooms();
  here = listen();
  there = await anotherProcess();
}, 60_000);

async function anotherProcess() {
  const file = join(import.meta.dir, "instance.fixture.ts");
  const child = Bun.spawn([process.execPath, file, database.url, redis.url], {
    env: { ...process.env, ALLOW_SANDBOX: "true" },
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  if (!port) throw new Error("the instance did not start");
  return { port, end: (signal: "SIGKILL" | "SIGTERM") => child.kill(signal) };
}

const chat = (content: string) => ({ type: "chat", clientId: crypto.randomUUID(), payload: { content } });

test("a message sent on one instance is received on the other, and so is presence", async () => {
  const { seller, buyer, roomId } = await aPair();
  const one = await openSocket(here.port, seller, roomId);
  const two = await openSocket(there.port, buyer, roomId);
  await two.hear("user_status", ({ userId, status }) => userId === seller.id && status === "online");
  await one.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "online");
  two.say(chat("from there"));
  expect((await one.hear("chat")).payload.content).toBe("from there");
  one.say(chat("from here"));
  await two.hear("chat", ({ payload }) => payload.content === "from here");
  one.close();
  two.close();
});

test("200 messages sent at once on both have one unbroken order on both", async () => {
  const { seller, buyer, roomId } = await aPair();
  const sockets = [await openSocket(here.port, seller, roomId), await openSocket(there.port, buyer, roomId)];
  const said = Array.from({ length: 200 }, (_, n) => chat(`${n}`));
  for (const [n, frame] of said.entries()) sockets[n % 2]?.say(frame);
  for (const socket of sockets) {
    await eventually(() => socket.heard.filter(({ type }) => type === "chat").length === 200);
    const seqs = socket.heard.filter(({ type }) => type === "chat").map(({ seq }) => seq);
    expect(seqs.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n + 2));
    const ids = socket.heard.filter(({ type }) => type === "chat").map(({ payload }) => payload.clientId);
    expect(new Set(ids)).toEqual(new Set(said.map(({ clientId }) => clientId)));
    socket.close();
  }
});

test("while Redis is down each instance continues; the heartbeat reveals what was missed, and seq fetches it", async () => {
  const { seller, buyer, roomId } = await aPair();
  const one = await openSocket(here.port, seller, roomId);
  const two = await openSocket(there.port, buyer, roomId);
  await redis.kill();
  for (const n of [1, 2, 3]) one.say(chat(`missed ${n}`));
  await one.hear("chat", ({ payload }) => payload.content === "missed 3");
  await two.hear("heartbeat", ({ seq }) => seq === 4);
  expect(two.heard.filter(({ type }) => type === "chat")).toEqual([]);
  const missed = await readHistory(buyer.actor, roomId, { after: 1 });
  expect(missed.ok && missed.messages.map(({ content }) => content)).toEqual([
    "missed 1",
    "missed 2",
    "missed 3",
  ]);
  await db().execute(`DELETE FROM identity.sessions WHERE id = ${seller.actor.sessionId}`);
  expect(await one.closed()).toBe(4401);
  await redis.restart();
  const back = await openSocket(here.port, buyer, roomId);
  const again = async () => {
    back.say(chat("together again"));
    await Bun.sleep(500); // within the throttle of messages, so that none is refused
    return two.heard.some(({ type, payload }) => type === "chat" && payload.content === "together again");
  };
  await eventually(again, () => [back.isOpen(), two.isOpen(), back.heard.slice(-5), two.heard.slice(-5)]);
  back.close();
  two.close();
}, 60_000);

test("the presence of a dead instance's people ends when their leases expire", async () => {
  const { seller, buyer, roomId } = await aPair();
  const dying = await anotherProcess();
  const one = await openSocket(here.port, seller, roomId);
  await openSocket(dying.port, buyer, roomId);
  await one.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "online");
  dying.end("SIGKILL");
  await one.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "offline");
  one.close();
});

test("a stopping instance closes its sockets with 1012 and logs it", async () => {
  const { seller, roomId } = await aPair();
  const ending = await anotherProcess();
  const socket = await openSocket(ending.port, seller, roomId);
  ending.end("SIGTERM");
  expect(await socket.closed()).toBe(1012);
  await eventually(
    async () => (await listEntries({ roomId, action: "websocket_disconnect" })).entries.length === 1,
  );
});
