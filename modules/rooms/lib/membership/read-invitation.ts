import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { type Actor, findPeople, networkPrefixOf } from "#modules/identity";
import { findSeats } from "../core/participants.ts";
import { parseInviteCode } from "../core/room-code.ts";
import { invitesTable, type Role, roomsTable } from "../core/schema.ts";

/** As for joining: a code that is only looked up could be guessed as well. */
const readsPerUser = { max: 20, seconds: 600 };
const readsPerAddress = { max: 60, seconds: 600 };

/** What an invitation shows to anyone who has its code: who invites, and for which role. Nothing else about the room or its people. */
type Invitation = {
  ok: true;
  code: string;
  inviter: { displayName: string; avatarInitials: string };
  role: Role;
};

/** The reader is a member already; `own`: they opened the room. */
type SeatedReader = { ok: true; seated: { roomId: number; own: boolean } };

type InvitationRefusal = { ok: false; code: "INVITE_INVALID" | "ROOM_FULL" };

/**
 * Shows what a code invites to, for anyone who has it, without joining or posting in the room. Refuses INVITE_INVALID (also if the code was
 * renewed), ROOM_FULL for non-members, and THROTTLED.
 */
export async function readInvitation(
  actor: Actor,
  typed: string,
): Promise<Invitation | SeatedReader | InvitationRefusal | ThrottleRefusal> {
  const at = currentTime();
  const counted = [
    ...(actor.kind === "user" ? ([[`rooms.invitation:${actor.userId}`, readsPerUser]] as const) : []),
    [`rooms.invitation:${networkPrefixOf(actor.ip)}`, readsPerAddress] as const,
  ];
  for (const [key, limit] of counted) {
    const turn = await takeThrottledAttempt(key, limit, at);
    if (!turn.ok) return turn;
  }
  const invalid: InvitationRefusal = { ok: false, code: "INVITE_INVALID" };
  const code = parseInviteCode(typed);
  if (code === undefined) return invalid;
  const [found] = await db()
    .select({ roomId: roomsTable.id, createdById: roomsTable.createdById, deletedAt: roomsTable.deletedAt })
    .from(invitesTable)
    .innerJoin(roomsTable, eq(roomsTable.id, invitesTable.roomId))
    .where(eq(invitesTable.code, code));
  if (found === undefined || found.deletedAt !== null) return invalid;
  const seats = await findSeats([found.roomId]);
  const reader = actor.kind === "user" ? actor.userId : null;
  if (seats.some(({ userId }) => userId === reader)) {
    return { ok: true, seated: { roomId: found.roomId, own: found.createdById === reader } };
  }
  const [host, ...others] = seats;
  if (host === undefined) return invalid;
  if (others.length > 0) return { ok: false, code: "ROOM_FULL" };
  const { displayName = "", avatarInitials = "" } =
    (await findPeople(db(), [host.userId])).get(host.userId) ?? {};
  const role = host.role === "seller" ? "buyer" : "seller";
  return { ok: true, code, inviter: { displayName, avatarInitials }, role };
}
