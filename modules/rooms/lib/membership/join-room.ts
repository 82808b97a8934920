import { and, eq, isNull, max, ne, sql } from "drizzle-orm";
import { afterCommit, db, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { throttle } from "#db/throttle";
import { record } from "#modules/audit";
import { type Actor, by, limitedRefusal, type Member, neighbourhood, requireUser } from "#modules/identity";
import { joinInput } from "../../forms.ts";
import { room } from "../core/find-room.ts";
import { faces } from "../core/participants.ts";
import { invalid } from "../core/refusals.ts";
import { readCode } from "../core/room-code.ts";
import { lockRow } from "../core/room-locks.ts";
import { signal } from "../core/room-signals.ts";
import { invites, members, messages } from "../core/schema.ts";
import { postNotice } from "../messages/post-notice.ts";
import { enlist } from "../privacy/room-activity.ts";
import { mailJoined } from "./mail-joined.ts";

/** Guessing 50 bits is hopeless at any pace; this keeps it from being tried. Every try counts. */
const perUser = { max: 20, seconds: 600 };
const perAddress = { max: 60, seconds: 600 };

/**
 * Takes the free seat of the room that a code (or link) invites to; joining again is harmless and shows a room that was
 * left. Refuses VALIDATION, INVITE_INVALID, ROOM_FULL, ACCOUNT_LIMITED, PERSON_UNAVAILABLE (the other one is restricted) and THROTTLED.
 */
export async function joinByCode(actor: Actor, input: unknown) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = joinInput.safeParse(input);
  if (!parsed.success) return invalid(parsed.error);
  const at = now();
  for (const [key, limit] of [
    [`rooms.join:${user.member.userId}`, perUser],
    [`rooms.join:${neighbourhood(actor.ip)}`, perAddress],
  ] as const) {
    const turn = await throttle(key, limit, at);
    if (!turn.ok) return turn;
  }
  const code = readCode(parsed.data.code);
  if (code === undefined) return { ok: false, code: "INVITE_INVALID" } as const;
  const [invite] = await db().select().from(invites).where(eq(invites.code, code));
  if (invite === undefined) return { ok: false, code: "INVITE_INVALID" } as const;
  const joined = await transaction((tx) => takeSeat(tx, user.member, invite, at));
  if (!joined.ok) return joined;
  const found = await room(actor, invite.roomId);
  return found.ok ? ({ ok: true, chatRoom: found.room } as const) : found;
}

type Taken =
  | { ok: true }
  | { ok: false; code: "INVITE_INVALID" | "ROOM_FULL" | "PERSON_UNAVAILABLE" }
  | NonNullable<Awaited<ReturnType<typeof limitedRefusal>>>;

async function takeSeat(
  tx: Tx,
  member: Member,
  invite: { roomId: number; code: string },
  at: Date,
): Promise<Taken> {
  const { roomId } = invite;
  const row = await lockRow(tx, roomId);
  const [still] = await tx
    .select({ one: sql`1` })
    .from(invites)
    .where(and(eq(invites.roomId, roomId), eq(invites.code, invite.code)));
  if (row === undefined || row.deletedAt !== null || still === undefined)
    return { ok: false, code: "INVITE_INVALID" };
  const seated = await tx.select().from(members).where(eq(members.roomId, roomId));
  const own = seated.find(({ userId }) => userId === member.userId);
  if (own !== undefined) {
    if (own.hiddenAt !== null) await show(tx, roomId, member.userId);
    return { ok: true };
  }
  if (seated.length > 1) return { ok: false, code: "ROOM_FULL" };
  const limited = await limitedRefusal(tx, member.userId, at);
  if (limited !== undefined) return limited;
  // Whom Midman has stopped nobody new is let in to; that it did is between the two of them.
  if (seated[0] !== undefined && (await limitedRefusal(tx, seated[0].userId, at)) !== undefined)
    return { ok: false, code: "PERSON_UNAVAILABLE" };
  const role = seated[0]?.role === "seller" ? "buyer" : "seller";
  const sinceSeq = await lastDeparture(tx, roomId, member.userId);
  await tx
    .insert(members)
    .values({ roomId, userId: member.userId, role, joinedAt: at, sinceSeq, readSeq: sinceSeq });
  await record(tx, { by: by(member), action: "room_joined", at, roomId, data: { role } });
  if (seated[0] !== undefined) {
    await mailJoined(tx, roomId, seated[0].userId, { id: member.userId, role });
  }
  await postNotice(tx, { roomId, code: "joined", params: { userId: member.userId, role }, at });
  await enlist(tx, roomId, member.userId, at);
  afterCommit(tx, () => tellJoined(roomId, member.userId));
  return { ok: true };
}

async function show(tx: Tx, roomId: number, userId: number): Promise<void> {
  await tx
    .update(members)
    .set({ hiddenAt: null })
    .where(and(eq(members.roomId, roomId), eq(members.userId, userId)));
}

/** The notice of the last time somebody else left: what was said up to it was said to them. */
async function lastDeparture(tx: Tx, roomId: number, userId: number): Promise<number> {
  const [row] = await tx
    .select({ seq: max(messages.seq) })
    .from(messages)
    .where(
      and(
        eq(messages.roomId, roomId),
        isNull(messages.senderId),
        eq(messages.code, "left"),
        ne(sql`${messages.params}->>'userId'`, String(userId)),
      ),
    );
  return row?.seq ?? 0;
}

async function tellJoined(roomId: number, userId: number): Promise<void> {
  const participants = await faces(roomId);
  const user = participants.find(({ id }) => id === userId);
  signal(roomId, {
    kind: "frame",
    frame: JSON.stringify({ type: "user_join", payload: { user, participants } }),
  });
}
