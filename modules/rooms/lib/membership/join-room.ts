import { and, eq, isNull, max, ne, sql } from "drizzle-orm";
import { afterCommit, db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { recordAuditEntry } from "#modules/audit";
import {
  type Actor,
  auditAuthorOf,
  limitedRefusal,
  type Member,
  type NotSignedIn,
  networkPrefixOf,
  type RestrictionRefusal,
  requireUser,
} from "#modules/identity";
import { joinInput } from "../../forms.ts";
import { findRoomOfMember } from "../core/find-room.ts";
import { sendRoomAdded } from "../core/member-signals.ts";
import { readPublicParticipants } from "../core/participants.ts";
import { type InvalidInput, refuseInvalidInput } from "../core/refusals.ts";
import type { Room } from "../core/responses.ts";
import { parseInviteCode } from "../core/room-code.ts";
import { lockRoomRow } from "../core/room-locks.ts";
import { sendRoomSignal } from "../core/room-signals.ts";
import { invitesTable, membersTable, messagesTable } from "../core/schema.ts";
import { postNotice } from "../messages/post-notice.ts";
import { addToRoomList } from "../privacy/room-activity.ts";
import { notifyRoomJoined } from "./notify-room-joined.ts";

/** Guessing 50 bits is hopeless at any rate; these limits prevent attempts. Every attempt counts. */
const joinsPerUser = { max: 20, seconds: 600 };
const joinsPerAddress = { max: 60, seconds: 600 };

type SeatRefusal =
  | { ok: false; code: "INVITE_INVALID" | "ROOM_FULL" | "PERSON_UNAVAILABLE" }
  | RestrictionRefusal<"ACCOUNT_LIMITED">;
type JoinOutcome = { ok: true; chatRoom: Room } | NotSignedIn | InvalidInput | SeatRefusal | ThrottleRefusal;

/**
 * Adds the actor to the room of an invite code or link, in the free role. Joining again is harmless and shows a room that was left. Refuses
 * VALIDATION, INVITE_INVALID, ROOM_FULL, ACCOUNT_LIMITED, PERSON_UNAVAILABLE (the other member is restricted) and THROTTLED.
 */
export async function joinByCode(actor: Actor, input: unknown): Promise<JoinOutcome> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = joinInput.safeParse(input);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const at = currentTime();
  for (const [key, limit] of [
    [`rooms.join:${user.member.userId}`, joinsPerUser],
    [`rooms.join:${networkPrefixOf(actor.ip)}`, joinsPerAddress],
  ] as const) {
    const turn = await takeThrottledAttempt(key, limit, at);
    if (!turn.ok) return turn;
  }
  const code = parseInviteCode(parsed.data.code);
  if (code === undefined) return { ok: false, code: "INVITE_INVALID" };
  const [invite] = await db().select().from(invitesTable).where(eq(invitesTable.code, code));
  if (invite === undefined) return { ok: false, code: "INVITE_INVALID" };
  const joined = await runInTransaction((tx) => takeSeat(tx, user.member, invite, at));
  if (!joined.ok) return joined;
  const found = await findRoomOfMember(invite.roomId, user.member.userId);
  // The room was deleted, or this seat left, since.
  return found === undefined ? { ok: false, code: "INVITE_INVALID" } : { ok: true, chatRoom: found.room };
}

async function takeSeat(
  tx: Tx,
  member: Member,
  invite: { roomId: number; code: string },
  at: Date,
): Promise<{ ok: true } | SeatRefusal> {
  const { roomId } = invite;
  const row = await lockRoomRow(tx, roomId);
  const [still] = await tx
    .select({ one: sql`1` })
    .from(invitesTable)
    .where(and(eq(invitesTable.roomId, roomId), eq(invitesTable.code, invite.code)));
  if (row === undefined || row.deletedAt !== null || still === undefined)
    return { ok: false, code: "INVITE_INVALID" };
  const seated = await tx.select().from(membersTable).where(eq(membersTable.roomId, roomId));
  const own = seated.find(({ userId }) => userId === member.userId);
  if (own !== undefined) {
    if (own.hiddenAt !== null) await unhideRoom(tx, roomId, member.userId);
    return { ok: true };
  }
  if (seated.length > 1) return { ok: false, code: "ROOM_FULL" };
  const limited = await limitedRefusal(tx, member.userId, at);
  if (limited !== undefined) return limited;
  // Nobody new may join a restricted member; the refusal does not reveal the restriction.
  if (seated[0] !== undefined && (await limitedRefusal(tx, seated[0].userId, at)) !== undefined)
    return { ok: false, code: "PERSON_UNAVAILABLE" };
  const role = seated[0]?.role === "seller" ? "buyer" : "seller";
  const sinceSeq = await findLastDeparture(tx, roomId, member.userId);
  await tx
    .insert(membersTable)
    .values({ roomId, userId: member.userId, role, joinedAt: at, sinceSeq, readSeq: sinceSeq });
  await recordAuditEntry(tx, {
    by: auditAuthorOf(member),
    action: "room_joined",
    at,
    roomId,
    data: { role },
  });
  if (seated[0] !== undefined) {
    await notifyRoomJoined(tx, roomId, seated[0].userId, { id: member.userId, role });
  }
  await postNotice(tx, { roomId, code: "joined", params: { userId: member.userId, role }, at });
  await addToRoomList(tx, roomId, member.userId, at);
  sendRoomAdded(tx, member.userId);
  afterCommit(tx, () => announceJoin(roomId, member.userId));
  return { ok: true };
}

async function unhideRoom(tx: Tx, roomId: number, userId: number): Promise<void> {
  await tx
    .update(membersTable)
    .set({ hiddenAt: null })
    .where(and(eq(membersTable.roomId, roomId), eq(membersTable.userId, userId)));
  sendRoomAdded(tx, userId);
}

/** The `seq` of the notice when someone else last left: earlier messages were meant for that person. */
async function findLastDeparture(tx: Tx, roomId: number, userId: number): Promise<number> {
  const [row] = await tx
    .select({ seq: max(messagesTable.seq) })
    .from(messagesTable)
    .where(
      and(
        eq(messagesTable.roomId, roomId),
        isNull(messagesTable.senderId),
        eq(messagesTable.code, "left"),
        ne(sql`${messagesTable.params}->>'userId'`, String(userId)),
      ),
    );
  return row?.seq ?? 0;
}

async function announceJoin(roomId: number, userId: number): Promise<void> {
  const participants = await readPublicParticipants(roomId);
  const user = participants.find(({ id }) => id === userId);
  sendRoomSignal(roomId, {
    kind: "frame",
    frame: JSON.stringify({ type: "user_join", payload: { user, participants } }),
  });
}
