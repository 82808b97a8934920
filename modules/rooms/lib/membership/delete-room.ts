import { eq } from "drizzle-orm";
import { transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import { type Actor, by, requireUser } from "#modules/identity";
import { noRoom } from "../core/refusals.ts";
import { guards } from "../core/room-guards.ts";
import { lockRow } from "../core/room-locks.ts";
import { signalAfter } from "../core/room-signals.ts";
import { rooms } from "../core/schema.ts";
import { erase } from "../privacy/erase-messages.ts";
import { membership } from "./membership.ts";

/**
 * Deletes a room; only its creator may. Without a trade it is erased; with one that has ended it is kept to the end of
 * retention and shown to nobody. Refuses ROOM_CREATOR_ONLY, what `mayDelete` refuses, and CHAT_ROOM_NOT_FOUND.
 */
export async function deleteRoom(actor: Actor, roomId: number) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  const at = now();
  return transaction(async (tx) => {
    await lockRow(tx, roomId);
    const seat = await membership(tx, roomId, userId);
    if (seat === undefined) return noRoom;
    if (seat.room.createdById !== userId) return { ok: false, code: "ROOM_CREATOR_ONLY" } as const;
    const verdict = await guards().mayDelete(tx, roomId);
    if (!verdict.ok) return verdict;
    signalAfter(tx, roomId, { kind: "cut" });
    if (await guards().mayErase(tx, roomId)) {
      await erase(tx, roomId, by(actor), at);
    } else {
      await tx.update(rooms).set({ deletedAt: at }).where(eq(rooms.id, roomId));
      await record(tx, { by: by(actor), action: "room_deleted", at, roomId });
    }
    return { ok: true } as const;
  });
}
