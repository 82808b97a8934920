import { eq } from "drizzle-orm";
import { publicUrl } from "#config";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type NotSignedIn, requireUser } from "#modules/identity";
import { type RoomNotFound, roomNotFound } from "../core/refusals.ts";
import { newInviteCode } from "../core/room-code.ts";
import { lockRoomRow } from "../core/room-locks.ts";
import { invitesTable } from "../core/schema.ts";
import { findMembership } from "./membership.ts";

type IssuedInvite = { ok: true; inviteCode: string; inviteLink: string };

/** The room's invite, as a code and a link. Refuses outsiders with CHAT_ROOM_NOT_FOUND. */
export function inviteToRoom(
  actor: Actor,
  roomId: number,
): Promise<IssuedInvite | NotSignedIn | RoomNotFound> {
  return issueInvite(actor, roomId, false);
}

/** Each renewal writes a log entry: more than a person needs, less than a flood. */
const renewalLimit = { max: 20, seconds: 3_600 };

/** Creates a new invite; the earlier code and link stop working. Refuses CHAT_ROOM_NOT_FOUND for outsiders, and THROTTLED. */
export async function renewInvite(
  actor: Actor,
  roomId: number,
): Promise<IssuedInvite | NotSignedIn | RoomNotFound | ThrottleRefusal> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const turn = await takeThrottledAttempt(`rooms.renew:${user.member.userId}`, renewalLimit, currentTime());
  return turn.ok ? issueInvite(actor, roomId, true) : turn;
}

async function issueInvite(
  actor: Actor,
  roomId: number,
  renew: boolean,
): Promise<IssuedInvite | NotSignedIn | RoomNotFound> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  const at = currentTime();
  return runInTransaction(async (tx) => {
    await lockRoomRow(tx, roomId);
    if ((await findMembership(tx, roomId, userId)) === undefined) return roomNotFound;
    const [invite] = await tx.select().from(invitesTable).where(eq(invitesTable.roomId, roomId));
    if (invite !== undefined && !renew) return inviteReply(invite.code);
    const code = await replaceInvite(tx, roomId, userId, at);
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "invite_renewed", at, roomId });
    return inviteReply(code);
  });
}

/** Gives a room a new invite and returns its code; the earlier code and link stop working. The caller holds the room's lock. */
export async function replaceInvite(
  tx: Tx,
  roomId: number,
  createdById: number,
  createdAt: Date,
): Promise<string> {
  const made = { code: newInviteCode(), createdById, createdAt };
  await tx
    .insert(invitesTable)
    .values({ roomId, ...made })
    .onConflictDoUpdate({ target: invitesTable.roomId, set: made });
  return made.code;
}

function inviteReply(inviteCode: string): IssuedInvite {
  return { ok: true, inviteCode, inviteLink: `${publicUrl()}/i/${inviteCode}` };
}
