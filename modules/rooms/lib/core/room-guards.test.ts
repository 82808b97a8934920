import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { deleteRoom } from "../membership/delete-room.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { setRole } from "../membership/set-role.ts";
import { eraseQuietRooms } from "../privacy/erase-quiet-rooms.ts";
import { listParticipants } from "./participants.ts";
import { aPair, unthrottled } from "./rooms.fixture.ts";
import { roomsTable } from "./schema.ts";

useDatabase();
unthrottled();

test("before guards are registered, no room can be deleted, left, erased or have its roles swapped", async () => {
  const { seller, buyer, roomId } = await aPair();
  const unasked = "no guards are registered";
  await expect(deleteRoom(seller.actor, roomId)).rejects.toThrow(unasked);
  await expect(leaveRoom(buyer.actor, roomId)).rejects.toThrow(unasked);
  await expect(setRole(seller.actor, roomId, seller.id, "buyer")).rejects.toThrow(unasked);
  await expect(eraseQuietRooms(new Date(Date.now() + 800 * 86_400_000))).rejects.toThrow("rooms not erased");
  expect(await db().select().from(roomsTable).where(eq(roomsTable.id, roomId))).toMatchObject([
    { deletedAt: null },
  ]);
  const shown = await listParticipants(seller.actor, roomId);
  expect(shown).toMatchObject({ ok: true });
});
