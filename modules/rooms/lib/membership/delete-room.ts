import { eq } from "drizzle-orm";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type NotSignedIn, requireUser } from "#modules/identity";
import { type RoomNotFound, roomNotFound } from "../core/refusals.ts";
import { currentRoomGuards, type DeletionCode, type GuardRefusal } from "../core/room-guards.ts";
import { lockRoomRow } from "../core/room-locks.ts";
import { sendSignalAfterCommit } from "../core/room-signals.ts";
import { roomsTable } from "../core/schema.ts";
import { eraseRoom } from "../privacy/erase-messages.ts";
import { findMembership } from "./membership.ts";

type DeleteRoomRefusal = { ok: false; code: "ROOM_CREATOR_ONLY" } | GuardRefusal<DeletionCode>;

/**
 * Deletes a room; only its creator may. A room without a trade is erased; one whose trade has ended is hidden from everyone and kept until
 * the end of retention. Refuses ROOM_CREATOR_ONLY, the codes of `mayDelete`, and CHAT_ROOM_NOT_FOUND.
 */
export async function deleteRoom(
  actor: Actor,
  roomId: number,
): Promise<{ ok: true } | NotSignedIn | RoomNotFound | DeleteRoomRefusal> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  const at = currentTime();
  return runInTransaction(async (tx) => {
    await lockRoomRow(tx, roomId);
    const seat = await findMembership(tx, roomId, userId);
    if (seat === undefined) return roomNotFound;
    if (seat.room.createdById !== userId) return { ok: false, code: "ROOM_CREATOR_ONLY" };
    const verdict = await currentRoomGuards().mayDelete(tx, roomId);
    if (!verdict.ok) return verdict;
    sendSignalAfterCommit(tx, roomId, { kind: "cut" });
    if (await currentRoomGuards().mayErase(tx, roomId)) {
      await eraseRoom(tx, roomId, auditAuthorOf(actor), at);
    } else {
      await tx.update(roomsTable).set({ deletedAt: at }).where(eq(roomsTable.id, roomId));
      await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "room_deleted", at, roomId });
    }
    return { ok: true };
  });
}
