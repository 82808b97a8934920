import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { readRoom } from "../core/find-room.ts";
import { registerRoomGuards } from "../core/room-guards.ts";
import { aPair, aRoom, seats, someone, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { countersTable, messagesTable, roomsTable } from "../core/schema.ts";
import { readHistory } from "../messages/history.ts";
import { sendMessage } from "../messages/send-message.ts";
import { deleteRoom } from "./delete-room.ts";
import { joinByCode } from "./join-room.ts";
import { leaveRoom } from "./leave-room.ts";
import { listRooms } from "./list-rooms.ts";

useDatabase();
unthrottled();
withoutTrades();

const nowhere = { ok: false, code: "CHAT_ROOM_NOT_FOUND" } as const;

describe("leaving", () => {
  test("frees the place and adds a notice; the last member's leaving erases the room", async () => {
    const { seller, buyer, roomId } = await aPair();
    expect(await leaveRoom(seller.actor, roomId)).toEqual({ ok: true });
    expect(await seats(roomId)).toMatchObject({ sellerId: null, buyerId: buyer.id });
    const read = await readHistory(buyer.actor, roomId);
    expect(read.ok && read.messages.at(-1)?.content).toBe("The seller left the chat");
    expect(await readRoom(seller.actor, roomId)).toEqual(nowhere);
    expect(await leaveRoom(seller.actor, roomId)).toEqual(nowhere);
    await leaveRoom(buyer.actor, roomId);
    expect(await seats(roomId)).toBeUndefined();
    expect(await db().select().from(messagesTable).where(eq(messagesTable.roomId, roomId))).toEqual([]);
    expect(await db().select().from(countersTable).where(eq(countersTable.roomId, roomId))).toEqual([]);
  });

  test("a room with a trade only hides it: the place stays, and joining again shows it", async () => {
    const { buyer, roomId, inviteCode } = await aPair();
    const undo = registerRoomGuards({ mayErase: async () => false });
    expect(await leaveRoom(buyer.actor, roomId)).toEqual({ ok: true });
    expect(await leaveRoom(buyer.actor, roomId)).toEqual({ ok: true });
    const gone = await listRooms(buyer.actor);
    expect(gone.ok && gone.rooms).toEqual([]);
    expect(await seats(roomId)).toMatchObject({ buyerId: buyer.id });
    const third = await someone();
    expect(await joinByCode(third.actor, { code: inviteCode })).toEqual({ ok: false, code: "ROOM_FULL" });
    await joinByCode(buyer.actor, { code: inviteCode });
    const back = await listRooms(buyer.actor);
    undo();
    expect(back.ok && back.rooms.map(({ id }) => id)).toEqual([roomId]);
    const read = await readHistory(buyer.actor, roomId);
    expect(read.ok && read.messages.map(({ notice }) => notice?.code)).toEqual(["joined"]);
  });

  test("is refused as the guard says", async () => {
    const { buyer, roomId } = await aPair();
    const undo = registerRoomGuards({
      mayLeave: async () => ({ ok: false, code: "MONEY_HELD", current: "x" }),
    });
    expect(await leaveRoom(buyer.actor, roomId)).toEqual({ ok: false, code: "MONEY_HELD", current: "x" });
    undo();
    expect(await seats(roomId)).toMatchObject({ buyerId: buyer.id });
  });
});

describe("deleting", () => {
  test("is for the creator only, and erases a room without a trade", async () => {
    const { seller, buyer, roomId, inviteCode } = await aPair();
    const stranger = await someone();
    expect(await deleteRoom(stranger.actor, roomId)).toEqual(nowhere);
    expect(await deleteRoom(buyer.actor, roomId)).toEqual({ ok: false, code: "ROOM_CREATOR_ONLY" });
    expect(await deleteRoom(seller.actor, roomId)).toEqual({ ok: true });
    expect(await db().select().from(roomsTable).where(eq(roomsTable.id, roomId))).toEqual([]);
    expect(await deleteRoom(seller.actor, roomId)).toEqual(nowhere);
    expect(await joinByCode(stranger.actor, { code: inviteCode })).toEqual({
      ok: false,
      code: "INVITE_INVALID",
    });
  });

  test("keeps a room whose trade has ended, and shows it to nobody", async () => {
    const { seller, buyer, roomId, inviteCode } = await aPair();
    const undo = registerRoomGuards({ mayErase: async () => false });
    expect(await deleteRoom(seller.actor, roomId)).toEqual({ ok: true });
    undo();
    for (const { actor } of [seller, buyer]) {
      expect(await readRoom(actor, roomId)).toEqual(nowhere);
      expect(await readHistory(actor, roomId)).toEqual(nowhere);
      expect(await sendMessage(actor, roomId, { content: "hi" })).toEqual(nowhere);
      expect(await joinByCode(actor, { code: inviteCode })).toEqual({ ok: false, code: "INVITE_INVALID" });
      const listed = await listRooms(actor);
      expect(listed.ok && listed.rooms).toEqual([]);
    }
    const kept = await readHistory(buyer.actor, roomId, {}, { kept: true });
    expect(kept.ok && kept.messages).toHaveLength(1);
    expect(await seats(roomId)).toMatchObject({ buyerId: buyer.id, active: false });
  });

  test("is refused as the guard says", async () => {
    const room = await aRoom(await someone());
    const creator = await someone();
    const own = await aRoom(creator);
    const undo = registerRoomGuards({ mayDelete: async () => ({ ok: false, code: "TRADE_UNDER_WAY" }) });
    expect(await deleteRoom(creator.actor, own.id)).toEqual({ ok: false, code: "TRADE_UNDER_WAY" });
    undo();
    expect(room.id).not.toBe(own.id);
    expect(await seats(own.id)).toBeDefined();
  });

  test("while both write and leave never deadlocks, and leaves nothing behind", async () => {
    for (let round = 0; round < 10; round++) {
      const { seller, buyer, roomId } = await aPair();
      const talk = (n: number) =>
        sendMessage(n % 2 ? seller.actor : buyer.actor, roomId, { content: `${n}` });
      await Promise.all([
        ...Array.from({ length: 10 }, (_, n) => talk(n)),
        leaveRoom(buyer.actor, roomId),
        ...Array.from({ length: 10 }, (_, n) => talk(n)),
        deleteRoom(seller.actor, roomId),
        leaveRoom(seller.actor, roomId),
      ]);
      expect(await seats(roomId)).toBeUndefined();
      expect(await db().select().from(messagesTable).where(eq(messagesTable.roomId, roomId))).toEqual([]);
    }
  }, 60_000);
});
