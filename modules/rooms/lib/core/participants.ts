import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import { type Actor, findPeople, type NotSignedIn, requireUser } from "#modules/identity";
import { findMembership } from "../membership/membership.ts";
import { maskContact, maskEmail } from "./masked-contacts.ts";
import { type RoomNotFound, roomNotFound } from "./refusals.ts";
import type { Participant, PublicParticipant } from "./responses.ts";
import { type ContactMask, currentRoomGuards } from "./room-guards.ts";
import { type MemberRow, membersTable } from "./schema.ts";

export type ListedParticipants = { ok: true; participants: Participant[] };

/** The members of a room. The other member's contacts are masked until the trade allows them. */
export async function listParticipants(
  actor: Actor,
  roomId: number,
): Promise<ListedParticipants | NotSignedIn | RoomNotFound> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  if ((await findMembership(db(), roomId, user.member.userId)) === undefined) return roomNotFound;
  const mask = await currentRoomGuards().maskContacts(db(), roomId);
  const rows = await findSeats([roomId]);
  return { ok: true, participants: await participantsOf(roomId, user.member.userId, mask, rows) };
}

/** The members of one room, from their rows, as `readerId` may see them. */
export async function participantsOf(
  roomId: number,
  readerId: number,
  mask: ContactMask,
  rows: MemberRow[],
): Promise<Participant[]> {
  return (await viewParticipants([roomId], readerId, mask, rows)).get(roomId) ?? [];
}

/** The members of several rooms as `readerId` may see them, sellers first. */
export async function participantsByRoom(
  roomIds: number[],
  readerId: number,
  mask: ContactMask,
): Promise<Map<number, Participant[]>> {
  return viewParticipants(roomIds, readerId, mask, await findSeats(roomIds));
}

async function viewParticipants(
  roomIds: number[],
  readerId: number,
  mask: ContactMask,
  rows: MemberRow[],
): Promise<Map<number, Participant[]>> {
  const known = await findPeople(
    db(),
    rows.map(({ userId }) => userId),
  );
  const byRoom = new Map<number, Participant[]>(roomIds.map((id) => [id, []]));
  for (const row of rows) {
    const person = known.get(row.userId);
    if (person === undefined) continue;
    const hidden = row.userId === readerId ? "none" : mask;
    byRoom.get(row.roomId)?.push({
      ...publicParticipantOf(row, person),
      email: hidden === "all" ? maskEmail(person.email) : person.email,
      phoneNumber: hidden === "all" ? maskContact(person.phoneNumber) : person.phoneNumber,
      bankAccount: hidden === "none" ? person.bankAccount : maskContact(person.bankAccount),
      readSeq: row.readSeq,
      lastSeenAt: person.deleted ? null : (row.seenAt?.toISOString() ?? null),
    });
  }
  return byRoom;
}

/** The members of one room, with the fields that a frame may contain. */
export async function readPublicParticipants(roomId: number): Promise<PublicParticipant[]> {
  const rows = await findSeats([roomId]);
  const known = await findPeople(
    db(),
    rows.map(({ userId }) => userId),
  );
  return rows.flatMap((row) => {
    const person = known.get(row.userId);
    return person === undefined ? [] : [publicParticipantOf(row, person)];
  });
}

/** The members of these rooms, sellers first. */
export async function findSeats(roomIds: number[]): Promise<MemberRow[]> {
  if (roomIds.length === 0) return [];
  const rows = await selectSeats(db(), { roomIds: `{${roomIds}}` });
  return rows.sort((a, b) => a.roomId - b.roomId || (a.role < b.role ? 1 : -1));
}

const selectSeats = prepareQuery<{ roomIds: string }>()("seated_in", (exec, value) =>
  exec
    .select()
    .from(membersTable)
    .where(sql`${membersTable.roomId} = ANY (${value("roomIds")}::bigint[])`),
);

function publicParticipantOf(
  row: MemberRow,
  person: { username: string; displayName: string; avatarInitials: string },
): PublicParticipant {
  const { username, displayName, avatarInitials } = person;
  return { id: row.userId, username, displayName, role: row.role, avatarInitials };
}
