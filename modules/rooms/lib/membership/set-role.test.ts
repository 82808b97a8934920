import { describe, expect, test } from "bun:test";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { registerRoomGuards } from "../core/room-guards.ts";
import { memberRole } from "../core/room-locks.ts";
import { aPair, aRoom, seats, someone, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { readHistory } from "../messages/history.ts";
import { setRole } from "./set-role.ts";

useDatabase();
unthrottled();
withoutTrades();

describe("roles", () => {
  test("are swapped by the creator, whomever they name, with a notice", async () => {
    const { seller, buyer, roomId } = await aPair();
    const changed = await setRole(seller.actor, roomId, buyer.id, "seller");
    expect(changed.ok && changed.participants.map(({ id, role }) => [id, role])).toEqual([
      [buyer.id, "seller"],
      [seller.id, "buyer"],
    ]);
    expect(await memberRole(db(), roomId, seller.id)).toBe("buyer");
    const read = await readHistory(buyer.actor, roomId);
    expect(read.ok && read.messages.at(-1)?.content).toBe(
      "The person who opened the room switched the roles and is now the buyer",
    );
  });

  test("set to their current values change nothing, even while locked", async () => {
    const { seller, roomId } = await aPair();
    const undo = registerRoomGuards({ mayChangeRoles: async () => ({ ok: false, code: "ROLES_LOCKED" }) });
    expect(await setRole(seller.actor, roomId, seller.id, "seller")).toMatchObject({ ok: true });
    expect(await setRole(seller.actor, roomId, seller.id, "buyer")).toEqual({
      ok: false,
      code: "ROLES_LOCKED",
    });
    undo();
    const read = await readHistory(seller.actor, roomId);
    expect(read.ok && read.messages).toHaveLength(1);
  });

  test("cannot be changed by the other member or by outsiders, nor for outsiders", async () => {
    const { seller, buyer, roomId } = await aPair();
    const stranger = await someone();
    expect(await setRole(buyer.actor, roomId, buyer.id, "seller")).toEqual({
      ok: false,
      code: "ROLE_CREATOR_ONLY",
    });
    expect(await setRole(stranger.actor, roomId, buyer.id, "seller")).toEqual({
      ok: false,
      code: "CHAT_ROOM_NOT_FOUND",
    });
    expect(await setRole(seller.actor, roomId, stranger.id, "buyer")).toEqual({
      ok: false,
      code: "USER_NOT_FOUND",
    });
    expect(await setRole(seller.actor, roomId, buyer.id, "admin" as "buyer")).toMatchObject({
      code: "VALIDATION",
    });
    expect(await seats(roomId)).toMatchObject({ sellerId: seller.id, buyerId: buyer.id });
  });

  test("of a creator alone in the room can change too; the trade is updated in the same transaction", async () => {
    const creator = await someone();
    const room = await aRoom(creator);
    const told: unknown[] = [];
    const undo = registerRoomGuards({ rolesChanged: async (_tx, seats) => void told.push(seats) });
    await setRole(creator.actor, room.id, creator.id, "buyer");
    undo();
    expect(told).toEqual([{ roomId: room.id, buyerId: creator.id, sellerId: null }]);
  });

  test("swapped twenty times at once end in one of the two orders", async () => {
    const { seller, buyer, roomId } = await aPair();
    const swaps = Array.from({ length: 20 }, (_, n) =>
      setRole(seller.actor, roomId, seller.id, n % 2 ? "buyer" : "seller"),
    );
    expect((await Promise.all(swaps)).every(({ ok }) => ok)).toBe(true);
    const after = await seats(roomId);
    expect([after?.sellerId, after?.buyerId].sort()).toEqual([seller.id, buyer.id].sort());
  });
});
