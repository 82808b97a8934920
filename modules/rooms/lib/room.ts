import { and, desc, eq, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { type Actor, requireUser } from "#modules/identity";
import { guards } from "./guards.ts";
import { membership } from "./member.ts";
import { type Participant, participantsByRoom, participantsOf } from "./participants.ts";
import { noRoom } from "./refusals.ts";
import { counters, invites, type MemberRow, members, type Role, type RoomRow, rooms } from "./schema.ts";

/** A room as one of its members sees it (product-spec §3). */
export type Room = {
  id: number;
  name: string;
  description: string | null;
  createdAt: string;
  createdById: number;
  inviteCode: string | null;
  /** Inactive once its trade has ended. */
  status: "active" | "inactive";
  participants: Participant[];
  /** The reader's own seat. */
  role: Role;
};

/** One room with the number of its last message. Outsiders get CHAT_ROOM_NOT_FOUND. */
export async function room(actor: Actor, roomId: number) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  const seat = await membership(db(), roomId, userId);
  if (seat === undefined) return noRoom;
  const [mask, [invite], [counter]] = await Promise.all([
    guards().maskContacts(db(), roomId),
    db().select().from(invites).where(eq(invites.roomId, roomId)),
    db().select().from(counters).where(eq(counters.roomId, roomId)),
  ]);
  const participants = await participantsOf(roomId, userId, mask);
  const view = viewOf(seat.room, seat.member, invite?.code ?? null, participants);
  return { ok: true, room: view, lastSeq: counter?.lastSeq ?? 0 } as const;
}

/** The reader's rooms, newest first, at most 500; those they have left are not among them. Contacts are masked. */
export async function listRooms(actor: Actor) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  const rows = await db()
    .select({ room: rooms, member: members, code: invites.code })
    .from(members)
    .innerJoin(rooms, eq(rooms.id, members.roomId))
    .leftJoin(invites, eq(invites.roomId, rooms.id))
    .where(and(eq(members.userId, userId), isNull(members.hiddenAt), isNull(rooms.deletedAt)))
    .orderBy(desc(members.roomId))
    .limit(500);
  const ids = rows.map((row) => row.room.id);
  const participants = await participantsByRoom(ids, userId, true);
  return {
    ok: true,
    rooms: rows.map((row) => viewOf(row.room, row.member, row.code, participants.get(row.room.id) ?? [])),
  } as const;
}

function viewOf(
  row: RoomRow,
  member: MemberRow,
  inviteCode: string | null,
  participants: Participant[],
): Room {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
    createdById: row.createdById,
    inviteCode,
    status: row.endedAt === null ? "active" : "inactive",
    participants,
    role: member.role,
  };
}
