import { afterAll, beforeAll } from "bun:test";
import { config, overrideConfig } from "#config";
import { runInTransaction } from "#db/client";
import type { Language } from "#locales";
import { actorOf, type Member, originOf, registerUser, sessionSetCookie } from "#modules/identity";
import { createRoom } from "../membership/create-room.ts";
import { inviteToRoom } from "../membership/invite-to-room.ts";
import { joinByCode } from "../membership/join-room.ts";
import { registerRoomGuards } from "./room-guards.ts";
import { lockRoom } from "./room-locks.ts";

// Test helpers: registered people and their rooms.

/** The members of a room by role; undefined if there is no such room. */
export const seats = (roomId: number) => runInTransaction((tx) => lockRoom(tx, roomId));

let made = 0;

export type TestPerson = { id: number; actor: Member; cookie: string };

/** A registered person, signed in. */
export async function someone(displayName = "Bat Bold", language: Language = "en"): Promise<TestPerson> {
  made += 1;
  const username = `room${made}x${crypto.randomUUID().slice(0, 6)}`;
  const account = { username, displayName, email: `${username}@example.mn`, password: "correct horse" };
  const from = {
    ...originOf(new Request("http://localhost/")),
    ip: `10.9.${made >> 8}.${made & 255}`,
    language,
  };
  const done = await registerUser({ kind: "visitor", ...from }, account);
  if (!done.ok) throw new Error(`registration refused: ${done.code}`);
  const cookie = sessionSetCookie(done.session.token, done.session.expires).split(";")[0] ?? "";
  return { id: done.user.id, cookie, actor: await memberBy(cookie, language) };
}

/** The member whose session is in this cookie. */
export async function memberBy(cookie: string, language: Language = "en"): Promise<Member> {
  const headers = { cookie, "accept-language": language };
  const actor = await actorOf(new Request("http://localhost/", { headers }));
  if (actor.kind !== "user") throw new Error("the session is over");
  return actor;
}

/** A room opened by its creator, the seller. */
export async function aRoom(creator: TestPerson) {
  const done = await createRoom(creator.actor, { name: "A game account" });
  if (!done.ok) throw new Error(`no room: ${done.code}`);
  return done.room;
}

/** A room of two: its creator is the seller. */
export async function aPair() {
  const [seller, buyer] = await Promise.all([someone("Seller"), someone("Buyer")]);
  const room = await aRoom(seller);
  const joined = await joinByCode(buyer.actor, { code: room.inviteCode });
  if (!joined.ok) throw new Error(`not joined: ${joined.code}`);
  return { seller, buyer, roomId: room.id, inviteCode: room.inviteCode ?? "" };
}

/** The code of a room's invite, as a member reads it; it is another one once somebody has left. */
export async function inviteCodeOf({ actor }: TestPerson, roomId: number): Promise<string> {
  const invite = await inviteToRoom(actor, roomId);
  if (!invite.ok) throw new Error(`no invite: ${invite.code}`);
  return invite.inviteCode;
}

/** Lifts throttles for one test file, and restores them for the next. */
export function unthrottled(): void {
  let former = 1;
  beforeAll(() => {
    former = config().THROTTLE_FACTOR;
    overrideConfig({ THROTTLE_FACTOR: 10_000 });
  });
  afterAll(() => overrideConfig({ THROTTLE_FACTOR: former }));
}

/** Registers guards that allow everything, as in rooms without a trade, until the end of a test file. */
export function withoutTrades(): void {
  let withdraw: (() => void) | undefined;
  beforeAll(() => {
    withdraw = registerRoomGuards({
      mayDelete: async () => ({ ok: true }),
      mayLeave: async () => ({ ok: true }),
      mayChangeRoles: async () => ({ ok: true }),
      mayErase: async () => true,
      rolesChanged: async () => {},
    });
  });
  afterAll(() => withdraw?.());
}
