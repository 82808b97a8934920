import { and, eq, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import { type Actor, type NotSignedIn, requireUser } from "#modules/identity";
import { findSeats, participantsOf } from "./participants.ts";
import { type RoomNotFound, roomNotFound } from "./refusals.ts";
import type { Participant, Room } from "./responses.ts";
import { currentRoomGuards } from "./room-guards.ts";
import {
  countersTable,
  invitesTable,
  type MemberRow,
  membersTable,
  type RoomRow,
  roomsTable,
} from "./schema.ts";

/** A room and the `seq` of its last message. */
type FoundRoom = { ok: true; room: Room; lastSeq: number };

/** One room and the `seq` of its last message. Refuses outsiders with CHAT_ROOM_NOT_FOUND. */
export async function readRoom(
  actor: Actor,
  roomId: number,
): Promise<FoundRoom | NotSignedIn | RoomNotFound> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  return (await findRoomOfMember(roomId, user.member.userId)) ?? roomNotFound;
}

/** One room as its member sees it; undefined for outsiders and for deleted rooms. */
export async function findRoomOfMember(roomId: number, userId: number): Promise<FoundRoom | undefined> {
  // Queried together, in one database round trip; a non-member receives none of the results.
  const [[seen], mask, seats] = await Promise.all([
    selectRoomForMember(db(), { roomId, userId }),
    currentRoomGuards().maskContacts(db(), roomId),
    findSeats([roomId]),
  ]);
  if (seen === undefined) return undefined;
  const participants = await participantsOf(roomId, userId, mask, seats);
  const view = roomViewOf(seen.room, seen.member, seen.inviteCode, participants);
  return { ok: true, room: view, lastSeq: seen.lastSeq ?? 0 };
}

const selectRoomForMember = prepareQuery<{ roomId: number; userId: number }>()(
  "room_seen_by",
  (exec, value) =>
    exec
      .select({
        room: roomsTable,
        member: membersTable,
        inviteCode: invitesTable.code,
        lastSeq: countersTable.lastSeq,
      })
      .from(membersTable)
      .innerJoin(roomsTable, eq(roomsTable.id, membersTable.roomId))
      .leftJoin(invitesTable, eq(invitesTable.roomId, roomsTable.id))
      .leftJoin(countersTable, eq(countersTable.roomId, roomsTable.id))
      .where(
        and(
          eq(membersTable.roomId, value("roomId")),
          eq(membersTable.userId, value("userId")),
          isNull(roomsTable.deletedAt),
        ),
      ),
);

/** A room, built from its rows, as its member sees it. */
export function roomViewOf(
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
