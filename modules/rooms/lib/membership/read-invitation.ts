import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { throttle } from "#db/throttle";
import { type Actor, findPeople, neighbourhood } from "#modules/identity";
import { seated } from "../core/participants.ts";
import { readCode } from "../core/room-code.ts";
import { invites, type Role, rooms } from "../core/schema.ts";

/** As joining is: a code that is only looked up may be guessed as well. */
const perUser = { max: 20, seconds: 600 };
const perAddress = { max: 60, seconds: 600 };

/** What an invitation shows to whoever has its code: who invites, and to which side. Nothing else of a room or a person. */
export type Invitation = {
  ok: true;
  code: string;
  inviter: { displayName: string; avatarInitials: string };
  role: Role;
};

/** The reader has a seat already; `own`: they opened the room. */
type Seated = { ok: true; seated: { roomId: number; own: boolean } };

/**
 * What a code invites to, for anybody who has it; it seats nobody and says nothing in the room. Refuses INVITE_INVALID (also where the
 * code was renewed), ROOM_FULL to who has no seat, and THROTTLED.
 */
export async function readInvitation(actor: Actor, typed: string) {
  const at = now();
  const counted = [
    ...(actor.kind === "user" ? ([[`rooms.invitation:${actor.userId}`, perUser]] as const) : []),
    [`rooms.invitation:${neighbourhood(actor.ip)}`, perAddress] as const,
  ];
  for (const [key, limit] of counted) {
    const turn = await throttle(key, limit, at);
    if (!turn.ok) return turn;
  }
  const invalid = { ok: false, code: "INVITE_INVALID" } as const;
  const code = readCode(typed);
  if (code === undefined) return invalid;
  const [found] = await db()
    .select({ roomId: rooms.id, createdById: rooms.createdById, deletedAt: rooms.deletedAt })
    .from(invites)
    .innerJoin(rooms, eq(rooms.id, invites.roomId))
    .where(eq(invites.code, code));
  if (found === undefined || found.deletedAt !== null) return invalid;
  const seats = await seated([found.roomId]);
  const reader = actor.kind === "user" ? actor.userId : null;
  if (seats.some(({ userId }) => userId === reader)) {
    return seatedIn(found.roomId, found.createdById === reader);
  }
  const [host, ...others] = seats;
  if (host === undefined) return invalid;
  if (others.length > 0) return { ok: false, code: "ROOM_FULL" } as const;
  const { displayName = "", avatarInitials = "" } =
    (await findPeople(db(), [host.userId])).get(host.userId) ?? {};
  const role = host.role === "seller" ? "buyer" : "seller";
  const shown: Invitation = { ok: true, code, inviter: { displayName, avatarInitials }, role };
  return shown;
}

function seatedIn(roomId: number, own: boolean): Seated {
  return { ok: true, seated: { roomId, own } };
}
