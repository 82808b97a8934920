import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { prepared } from "#db/prepared";
import { type Actor, findPeople, requireUser } from "#modules/identity";
import { membership } from "../membership/membership.ts";
import { masked, maskedEmail } from "./masked-contacts.ts";
import { noRoom } from "./refusals.ts";
import { guards } from "./room-guards.ts";
import { type MemberRow, members, type Role } from "./schema.ts";

/** A member as everyone in the room may know them; frames carry no more than this. */
export type Face = { id: number; username: string; displayName: string; role: Role; avatarInitials: string };

/** A member as product-spec §3 has it; the other side's phone, bank account and e-mail may be masked. */
export type Participant = Face & {
  email: string | null;
  phoneNumber: string | null;
  bankAccount: string | null;
  /** The last message they have read. */
  readSeq: number;
};

/** Who sits in a room. The other side's contacts are masked until its trade allows them (design §4). */
export async function participants(actor: Actor, roomId: number) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  if ((await membership(db(), roomId, user.member.userId)) === undefined) return noRoom;
  const mask = await guards().maskContacts(db(), roomId);
  const rows = await seated([roomId]);
  return { ok: true, participants: await participantsOf(roomId, user.member.userId, mask, rows) } as const;
}

/** The members of one room, whose seats are `rows`, as `readerId` may see them. */
export async function participantsOf(
  roomId: number,
  readerId: number,
  mask: boolean,
  rows: MemberRow[],
): Promise<Participant[]> {
  return (await seen([roomId], readerId, mask, rows)).get(roomId) ?? [];
}

/** The members of several rooms as `readerId` may see them, sellers first. */
export async function participantsByRoom(
  roomIds: number[],
  readerId: number,
  mask: boolean,
): Promise<Map<number, Participant[]>> {
  return seen(roomIds, readerId, mask, await seated(roomIds));
}

async function seen(
  roomIds: number[],
  readerId: number,
  mask: boolean,
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
    const hidden = mask && row.userId !== readerId;
    const shown = hidden ? masked : (contact: string | null) => contact;
    byRoom.get(row.roomId)?.push({
      ...faceOf(row, person),
      email: hidden ? maskedEmail(person.email) : person.email,
      phoneNumber: shown(person.phoneNumber),
      bankAccount: shown(person.bankAccount),
      readSeq: row.readSeq,
    });
  }
  return byRoom;
}

/** The members of one room as a frame may name them. */
export async function faces(roomId: number): Promise<Face[]> {
  const rows = await seated([roomId]);
  const known = await findPeople(
    db(),
    rows.map(({ userId }) => userId),
  );
  return rows.flatMap((row) => {
    const person = known.get(row.userId);
    return person === undefined ? [] : [faceOf(row, person)];
  });
}

/** Who sits in rooms, sellers first. */
export async function seated(roomIds: number[]): Promise<MemberRow[]> {
  if (roomIds.length === 0) return [];
  const rows = await seatedIn(db(), { roomIds: `{${roomIds}}` });
  return rows.sort((a, b) => a.roomId - b.roomId || (a.role < b.role ? 1 : -1));
}

const seatedIn = prepared<{ roomIds: string }>()("seated_in", (exec, value) =>
  exec
    .select()
    .from(members)
    .where(sql`${members.roomId} = ANY (${value("roomIds")}::bigint[])`),
);

function faceOf(
  row: MemberRow,
  person: { username: string; displayName: string; avatarInitials: string },
): Face {
  const { username, displayName, avatarInitials } = person;
  return { id: row.userId, username, displayName, role: row.role, avatarInitials };
}
