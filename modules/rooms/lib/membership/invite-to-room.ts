import { eq } from "drizzle-orm";
import { publicUrl } from "#config";
import { type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { throttle } from "#db/throttle";
import { record } from "#modules/audit";
import { type Actor, by, requireUser } from "#modules/identity";
import { noRoom } from "../core/refusals.ts";
import { newCode } from "../core/room-code.ts";
import { lockRow } from "../core/room-locks.ts";
import { invites } from "../core/schema.ts";
import { membership } from "./membership.ts";

/** The room's invite, as code and as link. Outsiders get CHAT_ROOM_NOT_FOUND. */
export function invite(actor: Actor, roomId: number) {
  return inviteTo(actor, roomId, false);
}

/** Each renewal leaves an entry in the log: more than a person needs, less than a flood. */
const renewals = { max: 20, seconds: 3_600 };

/** A new invite; the former code and link work no more. Refuses CHAT_ROOM_NOT_FOUND to outsiders, and THROTTLED. */
export async function renewInvite(actor: Actor, roomId: number) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const turn = await throttle(`rooms.renew:${user.member.userId}`, renewals, now());
  return turn.ok ? inviteTo(actor, roomId, true) : turn;
}

async function inviteTo(actor: Actor, roomId: number, renew: boolean) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  const at = now();
  return transaction(async (tx) => {
    await lockRow(tx, roomId);
    if ((await membership(tx, roomId, userId)) === undefined) return noRoom;
    const [standing] = await tx.select().from(invites).where(eq(invites.roomId, roomId));
    if (standing !== undefined && !renew) return answer(standing.code);
    const code = await replace(tx, roomId, userId, at);
    await record(tx, { by: by(actor), action: "invite_renewed", at, roomId });
    return answer(code);
  });
}

async function replace(tx: Tx, roomId: number, createdById: number, createdAt: Date): Promise<string> {
  const made = { code: newCode(), createdById, createdAt };
  await tx
    .insert(invites)
    .values({ roomId, ...made })
    .onConflictDoUpdate({ target: invites.roomId, set: made });
  return made.code;
}

function answer(inviteCode: string): { ok: true; inviteCode: string; inviteLink: string } {
  return { ok: true, inviteCode, inviteLink: `${publicUrl()}/i/${inviteCode}` };
}
