import { and, eq, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { prepared } from "#db/prepared";
import { type Actor, requireUser } from "#modules/identity";
import { type Participant, participantsOf, seated } from "./participants.ts";
import { noRoom } from "./refusals.ts";
import { guards } from "./room-guards.ts";
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
  // All at once, in one journey to the database; whoever has no seat is told nothing of it.
  const [[seen], mask, seats] = await Promise.all([
    seenBy(db(), { roomId, userId }),
    guards().maskContacts(db(), roomId),
    seated([roomId]),
  ]);
  if (seen === undefined) return noRoom;
  const participants = await participantsOf(roomId, userId, mask, seats);
  const view = viewOf(seen.room, seen.member, seen.inviteCode, participants);
  return { ok: true, room: view, lastSeq: seen.lastSeq ?? 0 } as const;
}

const seenBy = prepared<{ roomId: number; userId: number }>()("room_seen_by", (exec, value) =>
  exec
    .select({ room: rooms, member: members, inviteCode: invites.code, lastSeq: counters.lastSeq })
    .from(members)
    .innerJoin(rooms, eq(rooms.id, members.roomId))
    .leftJoin(invites, eq(invites.roomId, rooms.id))
    .leftJoin(counters, eq(counters.roomId, rooms.id))
    .where(
      and(eq(members.roomId, value("roomId")), eq(members.userId, value("userId")), isNull(rooms.deletedAt)),
    ),
);

/** A room's rows as its member sees it. */
export function viewOf(
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
