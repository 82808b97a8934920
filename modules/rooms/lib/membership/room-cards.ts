import { type SQL, sql } from "drizzle-orm";
import type { Member } from "#modules/identity";
import { roomViewOf } from "../core/find-room.ts";
import { participantsByRoom } from "../core/participants.ts";
import type { RoomCard } from "../core/responses.ts";
import {
  activityTable,
  countersTable,
  invitesTable,
  type MemberRow,
  membersTable,
  type RoomRow,
  roomsTable,
} from "../core/schema.ts";
import { type MessageSummary, summarizeMessages } from "./latest-messages.ts";

/** The columns of a room in its member's list. */
export const roomCardColumns = {
  room: roomsTable,
  member: membersTable,
  code: invitesTable.code,
  at: activityTable.at,
  activeAt: countersTable.activeAt,
};

export type RoomCardRow = { room: RoomRow; member: MemberRow; code: string | null; at: Date; activeAt: Date };

/** When something last happened in a room, in microseconds: a cursor must not lose what the database can tell apart. */
export const activityMicros: SQL<string> = sql`(extract(epoch FROM ${activityTable.at}) * 1000000)::bigint`;

/** The cards of these rooms for their member, in the order of the rows; contacts are masked. */
export async function readRoomCards(rows: RoomCardRow[], { userId, language }: Member): Promise<RoomCard[]> {
  const [latest, seated] = await Promise.all([
    summarizeMessages(
      rows.map(({ room, activeAt }) => ({ id: room.id, createdAt: room.createdAt, activeAt })),
      userId,
      language,
    ),
    participantsByRoom(
      rows.map(({ room }) => room.id),
      userId,
      "all",
    ),
  ]);
  return rows.map((row) => {
    const { unread, lastMessage } = latest.get(row.room.id) ?? emptySummary;
    return {
      ...roomViewOf(row.room, row.member, row.code, seated.get(row.room.id) ?? []),
      lastMessage,
      unread,
      activityAt: laterMoment(row.at.toISOString(), lastMessage?.createdAt),
    };
  });
}

const emptySummary: MessageSummary = { unread: 0, lastMessage: null };

function laterMoment(a: string, b: string | undefined): string {
  return b !== undefined && b > a ? b : a;
}

/**
 * Compares two cards by their latest activity, then by their age, newest first. The indexed time may lag by a minute; the last message
 * corrects the order within a page.
 */
export function compareByActivity(a: RoomCard, b: RoomCard): number {
  if (a.activityAt === b.activityAt) return b.id - a.id;
  return a.activityAt < b.activityAt ? 1 : -1;
}
