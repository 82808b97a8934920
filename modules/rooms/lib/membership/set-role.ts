import { eq, sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type Member, type NotSignedIn, requireUser } from "#modules/identity";
import { roleInput } from "../../forms.ts";
import { broadcastFrame } from "../core/broadcast.ts";
import { type ListedParticipants, listParticipants } from "../core/participants.ts";
import { type InvalidInput, type RoomNotFound, refuseInvalidInput, roomNotFound } from "../core/refusals.ts";
import { currentRoomGuards, type GuardRefusal } from "../core/room-guards.ts";
import { lockRoom, type Seats } from "../core/room-locks.ts";
import { membersTable, type Role } from "../core/schema.ts";
import { postNotice } from "../messages/post-notice.ts";

type SetRoleRefusal =
  | RoomNotFound
  | { ok: false; code: "ROLE_CREATOR_ONLY" | "USER_NOT_FOUND" }
  | GuardRefusal<"ROLES_LOCKED">;

/**
 * Gives a member a role; the other one takes the opposite role. Only the creator may. Repeating it changes nothing. Refuses
 * ROLE_CREATOR_ONLY, USER_NOT_FOUND, the codes of `mayChangeRoles` (ROLES_LOCKED), and CHAT_ROOM_NOT_FOUND.
 */
export async function setRole(
  actor: Actor,
  roomId: number,
  userId: number,
  role: Role,
): Promise<ListedParticipants | NotSignedIn | InvalidInput | SetRoleRefusal> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = roleInput.safeParse({ role });
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const at = currentTime();
  const changed = await runInTransaction(async (tx): Promise<{ ok: true } | SetRoleRefusal> => {
    const room = await lockRoom(tx, roomId);
    const seated = [room?.buyerId, room?.sellerId];
    if (room === undefined || !seated.includes(user.member.userId)) return roomNotFound;
    if (room.createdById !== user.member.userId) return { ok: false, code: "ROLE_CREATOR_ONLY" };
    if (!seated.includes(userId)) return { ok: false, code: "USER_NOT_FOUND" };
    const now = room.sellerId === userId ? "seller" : "buyer";
    if (now === parsed.data.role) return { ok: true };
    const verdict = await currentRoomGuards().mayChangeRoles(tx, roomId);
    if (!verdict.ok) return verdict;
    await swapRoles(tx, room, user.member, at);
    return { ok: true };
  });
  return changed.ok ? listParticipants(actor, roomId) : changed;
}

async function swapRoles(tx: Tx, room: Seats, creator: Member, at: Date): Promise<void> {
  const { roomId } = room;
  const swapped = { roomId, buyerId: room.sellerId, sellerId: room.buyerId };
  await tx
    .update(membersTable)
    .set({ role: sql`CASE ${membersTable.role} WHEN 'buyer' THEN 'seller' ELSE 'buyer' END` })
    .where(eq(membersTable.roomId, roomId));
  await currentRoomGuards().rolesChanged(tx, swapped);
  const data = { buyerId: swapped.buyerId, sellerId: swapped.sellerId };
  await recordAuditEntry(tx, { by: auditAuthorOf(creator), action: "roles_switched", at, roomId, data });
  const role = swapped.sellerId === creator.userId ? "seller" : "buyer";
  const params = { userId: creator.userId };
  await postNotice(tx, {
    roomId,
    code: role === "seller" ? "rolesSwitchedSeller" : "rolesSwitchedBuyer",
    params,
    at,
  });
  broadcastFrame(tx, roomId, {
    type: "user_role_update",
    payload: { buyerId: swapped.buyerId, sellerId: swapped.sellerId },
  });
}
