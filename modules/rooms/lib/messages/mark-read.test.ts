import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db } from "#db/client";
import { listEntries } from "#modules/audit";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { listParticipants } from "../core/participants.ts";
import { onRoomSignal } from "../core/room-signals.ts";
import {
  aPair,
  aRoom,
  inviteCodeOf,
  someone,
  type TestPerson,
  unthrottled,
  withoutTrades,
} from "../core/rooms.fixture.ts";
import { deleteRoom } from "../membership/delete-room.ts";
import { joinByCode } from "../membership/join-room.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { setRole } from "../membership/set-role.ts";
import { markRead } from "./mark-read.ts";
import { sendMessage } from "./send-message.ts";

useDatabase();
unthrottled();
withoutTrades();

/** Everyone's read mark, as `reader` sees it. */
async function marks(reader: TestPerson, roomId: number): Promise<Record<string, number>> {
  const seen = await listParticipants(reader.actor, roomId);
  if (!seen.ok) throw new Error(seen.code);
  return Object.fromEntries(seen.participants.map(({ displayName, readSeq }) => [displayName, readSeq]));
}

/** The version of a member's row, which changes at every write. */
async function written(roomId: number, userId: number): Promise<string> {
  const [row] = await db().execute<{ xmin: string }>(
    sql`SELECT xmin::text FROM rooms.members WHERE room_id = ${roomId} AND user_id = ${userId}`,
  );
  return row?.xmin ?? "";
}

describe("a reading mark", () => {
  test("moves forward, stops at the last message and is seen by both", async () => {
    const { seller, buyer, roomId } = await aPair();
    await sendMessage(seller.actor, roomId, { content: "2" });
    await sendMessage(seller.actor, roomId, { content: "3" });
    expect(await marks(seller, roomId)).toEqual({ Seller: 0, Buyer: 0 });
    expect(await markRead(buyer.actor, roomId, 2)).toEqual({ ok: true, readSeq: 2 });
    expect(await marks(seller, roomId)).toEqual({ Seller: 0, Buyer: 2 });
    expect(await markRead(buyer.actor, roomId, 999)).toEqual({ ok: true, readSeq: 3 });
    expect(await marks(buyer, roomId)).toEqual({ Seller: 0, Buyer: 3 });
  });

  test("never moves back, and writes and announces nothing when unchanged", async () => {
    const { buyer, seller, roomId } = await aPair();
    await sendMessage(seller.actor, roomId, { content: "2" });
    await markRead(buyer.actor, roomId, 2);
    const before = await written(roomId, buyer.id);
    const told: unknown[] = [];
    const stop = onRoomSignal(roomId, (message) => told.push(message));
    for (const seq of [2, 1, 0, 900]) {
      expect(await markRead(buyer.actor, roomId, seq)).toEqual({ ok: true, readSeq: 2 });
    }
    stop();
    expect(await written(roomId, buyer.id)).toBe(before);
    expect(told).toEqual([]);
  });

  test("becomes the highest of several at once", async () => {
    const { seller, buyer, roomId } = await aPair();
    for (let n = 0; n < 20; n++) await sendMessage(seller.actor, roomId, { content: `${n}` });
    const marked = Array.from({ length: 20 }, (_, n) => markRead(buyer.actor, roomId, 21 - n));
    for (const one of await Promise.all(marked)) expect(one.ok).toBe(true);
    expect((await marks(seller, roomId)).Buyer).toBe(21);
  });

  test("does not deadlock while messages are sent and roles are swapped", async () => {
    const { seller, buyer, roomId } = await aPair();
    const work = Array.from({ length: 30 }, (_, n) => [
      sendMessage(seller.actor, roomId, { content: `${n}` }),
      markRead(buyer.actor, roomId, n),
      markRead(seller.actor, roomId, n),
      setRole(seller.actor, roomId, seller.id, n % 2 === 0 ? "buyer" : "seller"),
    ]).flat();
    for (const done of await Promise.all(work)) expect(done.ok).toBe(true);
  });

  test("of a later member starts where their reading starts", async () => {
    const { seller, buyer, roomId } = await aPair();
    await sendMessage(buyer.actor, roomId, { content: "between us" });
    await leaveRoom(buyer.actor, roomId);
    const third = await someone("Third");
    await joinByCode(third.actor, { code: await inviteCodeOf(seller, roomId) });
    // 1 joined, 2 the message, 3 left, 4 joined.
    expect((await marks(seller, roomId)).Third).toBe(3);
    expect(await markRead(third.actor, roomId, 1)).toEqual({ ok: true, readSeq: 3 });
  });

  test("is not logged", async () => {
    const { buyer, roomId } = await aPair();
    await markRead(buyer.actor, roomId, 1);
    const { entries } = await listEntries({ roomId });
    expect(entries.map(({ action }) => action).sort()).toEqual([
      "message_digested", // of the notice of joining
      "room_created",
      "room_joined",
    ]);
  });

  test.each([-1, 1.5, "1", null, undefined, Number.NaN, 2 ** 60])("refuses %p", async (seq) => {
    const { buyer, roomId } = await aPair();
    expect(await markRead(buyer.actor, roomId, seq)).toMatchObject({ ok: false, code: "VALIDATION" });
  });

  test("does not exist for an outsider, or in a deleted room", async () => {
    const { seller, roomId } = await aPair();
    const [stranger, other] = [await someone(), await someone()];
    const gone = await aRoom(other);
    await deleteRoom(other.actor, gone.id);
    const nothing = { ok: false, code: "CHAT_ROOM_NOT_FOUND" } as const;
    expect(await markRead(stranger.actor, roomId, 1)).toEqual(nothing);
    expect(await markRead(other.actor, gone.id, 1)).toEqual(nothing);
    expect(await markRead({ ...seller.actor, kind: "visitor" } as never, roomId, 1)).toMatchObject({
      code: "AUTH_REQUIRED",
    });
  });

  test("is throttled for someone who sends far more of them than a page does", async () => {
    const { buyer, roomId } = await aPair();
    overrideConfig({ THROTTLE_FACTOR: 0.05 });
    const told = [];
    for (let n = 0; n < 4; n++) told.push(await markRead(buyer.actor, roomId, 1));
    overrideConfig({ THROTTLE_FACTOR: 10_000 });
    expect(told.filter(({ ok }) => ok)).toHaveLength(3);
    expect(told[3]).toEqual({ ok: false, code: "THROTTLED", retryAfterSeconds: expect.any(Number) });
  });
});
