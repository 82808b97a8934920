import { and, eq, isNull } from "drizzle-orm";
import { afterCommit, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import { type Actor, by, type Member, requireUser } from "#modules/identity";
import { faces } from "../core/participants.ts";
import { noRoom } from "../core/refusals.ts";
import { guards } from "../core/room-guards.ts";
import { lockRow } from "../core/room-locks.ts";
import { signal, signalAfter } from "../core/room-signals.ts";
import { members } from "../core/schema.ts";
import { postNotice } from "../messages/post-notice.ts";
import { erase } from "../privacy/erase-messages.ts";
import { delist } from "../privacy/room-activity.ts";
import { membership } from "./membership.ts";

/**
 * Leaves a room. Without a trade the seat is given up, and the last one out erases the room; with a trade the seat
 * stays and the room is only hidden from the leaver's list. Refuses what `mayLeave` refuses, and CHAT_ROOM_NOT_FOUND.
 */
export async function leaveRoom(actor: Actor, roomId: number) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { member } = user;
  const at = now();
  return transaction(async (tx) => {
    await lockRow(tx, roomId);
    if ((await membership(tx, roomId, member.userId)) === undefined) return noRoom;
    const verdict = await guards().mayLeave(tx, roomId, member.userId);
    if (!verdict.ok) return verdict;
    if (await guards().mayErase(tx, roomId)) await giveUpSeat(tx, roomId, member, at);
    else await hide(tx, roomId, member, at);
    signalAfter(tx, roomId, { kind: "cut", userId: member.userId });
    return { ok: true } as const;
  });
}

async function giveUpSeat(tx: Tx, roomId: number, member: Member, at: Date): Promise<void> {
  const { userId, username, displayName, avatarInitials } = member;
  const seat = and(eq(members.roomId, roomId), eq(members.userId, userId));
  const [given] = await tx.delete(members).where(seat).returning();
  await record(tx, { by: by(member), action: "room_left", at, roomId });
  const left = await tx.select({ userId: members.userId }).from(members).where(eq(members.roomId, roomId));
  if (left.length === 0) return erase(tx, roomId, by(member), at);
  const params = { userId, ...(given && { role: given.role }) };
  await postNotice(tx, { roomId, code: "left", params, at });
  await delist(tx, roomId, userId);
  const user = { id: userId, username, displayName, role: given?.role, avatarInitials };
  afterCommit(tx, async () => {
    const payload = { user, participants: await faces(roomId) };
    signal(roomId, { kind: "frame", frame: JSON.stringify({ type: "user_leave", payload }) });
  });
}

async function hide(tx: Tx, roomId: number, member: Member, at: Date): Promise<void> {
  const hidden = await tx
    .update(members)
    .set({ hiddenAt: at })
    .where(and(eq(members.roomId, roomId), eq(members.userId, member.userId), isNull(members.hiddenAt)))
    .returning({ userId: members.userId });
  if (hidden.length > 0) await record(tx, { by: by(member), action: "room_hidden", at, roomId });
}
