import { and, eq, isNull } from "drizzle-orm";
import { afterCommit, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type Member, type NotSignedIn, requireUser } from "#modules/identity";
import { readPublicParticipants } from "../core/participants.ts";
import { type RoomNotFound, roomNotFound } from "../core/refusals.ts";
import { currentRoomGuards, type GuardRefusal } from "../core/room-guards.ts";
import { lockRoomRow } from "../core/room-locks.ts";
import { sendRoomSignal, sendSignalAfterCommit } from "../core/room-signals.ts";
import { membersTable } from "../core/schema.ts";
import { postNotice } from "../messages/post-notice.ts";
import { eraseRoom } from "../privacy/erase-messages.ts";
import { removeFromRoomList } from "../privacy/room-activity.ts";
import { replaceInvite } from "./invite-to-room.ts";
import { findMembership } from "./membership.ts";

/**
 * Leaves a room. Without a trade, the membership ends and the room's invite is replaced, so that the free place is only for a person whom
 * the other member invites from then on; the last one to leave erases the room. With a trade, the membership stays and the room is only
 * hidden from the leaver's list. Refuses the codes of `mayLeave`, and CHAT_ROOM_NOT_FOUND.
 */
export async function leaveRoom(
  actor: Actor,
  roomId: number,
): Promise<{ ok: true } | NotSignedIn | RoomNotFound | GuardRefusal<"MONEY_HELD">> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { member } = user;
  const at = currentTime();
  return runInTransaction(async (tx) => {
    await lockRoomRow(tx, roomId);
    if ((await findMembership(tx, roomId, member.userId)) === undefined) return roomNotFound;
    const verdict = await currentRoomGuards().mayLeave(tx, roomId, member.userId);
    if (!verdict.ok) return verdict;
    if (await currentRoomGuards().mayErase(tx, roomId)) await giveUpSeat(tx, roomId, member, at);
    else await hideRoom(tx, roomId, member, at);
    sendSignalAfterCommit(tx, roomId, { kind: "cut", userId: member.userId });
    return { ok: true };
  });
}

async function giveUpSeat(tx: Tx, roomId: number, member: Member, at: Date): Promise<void> {
  const { userId, username, displayName, avatarInitials } = member;
  const seat = and(eq(membersTable.roomId, roomId), eq(membersTable.userId, userId));
  const [given] = await tx.delete(membersTable).where(seat).returning();
  await recordAuditEntry(tx, { by: auditAuthorOf(member), action: "room_left", at, roomId });
  const left = await tx
    .select({ userId: membersTable.userId })
    .from(membersTable)
    .where(eq(membersTable.roomId, roomId));
  const [other] = left;
  if (other === undefined) return eraseRoom(tx, roomId, auditAuthorOf(member), at);
  await replaceInvite(tx, roomId, other.userId, at);
  const params = { userId, ...(given && { role: given.role }) };
  await postNotice(tx, { roomId, code: "left", params, at });
  await removeFromRoomList(tx, roomId, userId);
  const user = { id: userId, username, displayName, role: given?.role, avatarInitials };
  afterCommit(tx, async () => {
    const payload = { user, participants: await readPublicParticipants(roomId) };
    sendRoomSignal(roomId, { kind: "frame", frame: JSON.stringify({ type: "user_leave", payload }) });
  });
}

async function hideRoom(tx: Tx, roomId: number, member: Member, at: Date): Promise<void> {
  const hidden = await tx
    .update(membersTable)
    .set({ hiddenAt: at })
    .where(
      and(
        eq(membersTable.roomId, roomId),
        eq(membersTable.userId, member.userId),
        isNull(membersTable.hiddenAt),
      ),
    )
    .returning({ userId: membersTable.userId });
  if (hidden.length > 0)
    await recordAuditEntry(tx, { by: auditAuthorOf(member), action: "room_hidden", at, roomId });
}
