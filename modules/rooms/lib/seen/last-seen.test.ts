import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { listParticipants } from "../core/participants.ts";
import { onRoomSignal, type RoomSignal } from "../core/room-signals.ts";
import { aPair, type TestPerson, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { eventually, listen, openSocket } from "../socket/socket.fixture.ts";
import { closeSockets, startRooms, stopRooms } from "../socket/socket-lifecycle.ts";
import { forgetSeen, noteSeen } from "./last-seen.ts";
import { notePagePresence } from "./page-presence.ts";

// Registered before the database's own hook, so it runs first.
afterAll(async () => {
  closeSockets();
  await stopRooms();
  here.stop();
});

useDatabase();
unthrottled();
withoutTrades();
let here: ReturnType<typeof listen>;

beforeAll(async () => {
  await startRooms();
  here = listen();
});

/** When `of` was last in the room, as `reader` sees it. */
async function seenBy(reader: TestPerson, roomId: number, of: TestPerson) {
  const read = await listParticipants(reader.actor, roomId);
  return read.ok ? read.participants.find(({ id }) => id === of.id)?.lastSeenAt : undefined;
}

/** Changes with each write of the row. */
async function rowVersion(roomId: number, { id }: TestPerson): Promise<string | undefined> {
  const [row] = await db().execute<{ version: string }>(
    sql`SELECT xmin || '.' || ctid AS version FROM rooms.members WHERE room_id = ${roomId} AND user_id = ${id}`,
  );
  return row?.version;
}

test("the other member sees when somebody was last here, to the minute, written once a minute", async () => {
  const { seller, buyer, roomId } = await aPair();
  expect(await seenBy(seller, roomId, buyer)).toBeNull();
  await noteSeen([{ roomId, userId: buyer.id }], new Date("2026-11-28T06:05:03.123Z"));
  expect(await seenBy(seller, roomId, buyer)).toBe("2026-11-28T06:05:00.000Z");
  expect(await seenBy(seller, roomId, seller)).toBeNull();
  const version = await rowVersion(roomId, buyer);
  await noteSeen([{ roomId, userId: buyer.id }], new Date("2026-11-28T06:05:59Z"));
  // An instance whose clock is behind takes nothing back.
  await noteSeen([{ roomId, userId: buyer.id }], new Date("2026-11-28T06:04:00Z"));
  expect(await rowVersion(roomId, buyer)).toBe(version);
  const both = [seller, buyer].map(({ id }) => ({ roomId, userId: id }));
  await noteSeen([...both, { roomId, userId: 999_999 }], new Date("2026-11-28T06:06:00Z"));
  expect(await seenBy(seller, roomId, buyer)).toBe("2026-11-28T06:06:00.000Z");
  expect(await seenBy(buyer, roomId, seller)).toBe("2026-11-28T06:06:00.000Z");
});

test("a row that is locked is left out, and waits for nobody", async () => {
  const { seller, buyer, roomId } = await aPair();
  const both = [seller, buyer].map(({ id }) => ({ roomId, userId: id }));
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM rooms.members WHERE user_id = ${buyer.id} FOR UPDATE`);
    await noteSeen(both, new Date("2026-11-28T06:05:00Z"));
  });
  expect(await seenBy(seller, roomId, buyer)).toBeNull();
  expect(await seenBy(buyer, roomId, seller)).toBe("2026-11-28T06:05:00.000Z");
});

test("a deleted account forgets it, in that person's rooms only", async () => {
  const { seller, buyer, roomId } = await aPair();
  await noteSeen(
    [seller, buyer].map(({ id }) => ({ roomId, userId: id })),
    new Date("2026-11-28T06:05:00Z"),
  );
  await runInTransaction((tx) => forgetSeen(tx, buyer.id));
  expect(await seenBy(seller, roomId, buyer)).toBeNull();
  expect(await seenBy(buyer, roomId, seller)).not.toBeNull();
});

test("a socket that closes records it, unless its person had looked elsewhere before", async () => {
  const { seller, buyer, roomId } = await aPair();
  const at = { now: new Date("2026-11-28T06:05:30Z") };
  const unset = setClock(() => at.now);
  try {
    const socket = await openSocket(here.port, buyer, roomId);
    socket.say({ type: "user_status", status: "away" });
    await eventually(async () => (await seenBy(seller, roomId, buyer)) === "2026-11-28T06:05:00.000Z");
    at.now = new Date("2026-11-28T07:00:00Z");
    socket.close();
    await socket.closed();
    const other = await openSocket(here.port, seller, roomId);
    other.close();
    await other.closed();
    await eventually(async () => (await seenBy(buyer, roomId, seller)) === "2026-11-28T07:00:00.000Z");
    expect(await seenBy(seller, roomId, buyer)).toBe("2026-11-28T06:05:00.000Z");
  } finally {
    unset();
  }
});

test("a page of the room beside the conversation counts as away, which its person's sockets outrank", async () => {
  const { seller, buyer, roomId } = await aPair();
  const heard: RoomSignal[] = [];
  const stop = onRoomSignal(roomId, (signal) => heard.push(signal));
  const socket = await openSocket(here.port, seller, roomId);
  notePagePresence(buyer.actor, roomId);
  await socket.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "away");
  const own = await openSocket(here.port, buyer, roomId);
  await socket.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "online");
  own.close();
  await own.closed();
  const told = () => socket.heard.filter(({ type, userId }) => type === "user_status" && userId === buyer.id);
  await eventually(() => told().at(-1)?.status === "away");
  expect(told().map(({ status }) => status)).toEqual(["away", "online", "away"]);
  await eventually(async () => (await seenBy(seller, roomId, buyer)) !== null);
  expect(heard.some((signal) => signal.kind === "presence" && signal.instance.startsWith("page:"))).toBe(
    true,
  );
  stop();
  socket.close();
});
