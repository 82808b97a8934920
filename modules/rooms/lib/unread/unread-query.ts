import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { ownActPatterns, roomLimits } from "../../constants.ts";
import { countersTable, membersTable, messagesTable } from "../core/schema.ts";
import { conversationSpan, type RoomLifetime } from "../messages/conversation-span.ts";

/** The pieces of the queries that count unread messages. In them `s` is a message and `membersTable` the seat of the person who reads. */

/**
 * Unread messages are counted up to this, among the last twice as many, so that a member who writes much and reads nothing costs no more.
 */
const maxUnreadCounted = roomLimits.unreadShown + 1;
const maxMessagesSearched = 2 * maxUnreadCounted;

/** Messages that a chat does not show (`RoomNotice`) count neither as last nor as unread. */
export const shownMessageCondition = sql`s.type NOT IN ('payment', 'payment_qr')`;

/** Whether the reader wrote a message, or a notice is of their own act (as `isOwnAct` on the room's page). A notice has no sender. */
function ownActCondition(userId: number): SQL {
  const { role } = membersTable;
  const { buyer, seller } = ownActPatterns;
  return sql`CASE WHEN s.sender_id IS NOT NULL THEN s.sender_id = ${userId}
    ELSE s.params->>'userId' IS NOT DISTINCT FROM ${String(userId)} OR s.params->>'by' IS NOT DISTINCT FROM ${role}
      OR s.code ~ CASE ${role} WHEN 'buyer' THEN ${buyer} ELSE ${seller} END END`;
}

/** When messages of these rooms were sent: selects the partitions. */
export function livedCondition(rooms: RoomLifetime[]): SQL {
  const { from, to } = conversationSpan(...rooms);
  return sql`s.created_at BETWEEN ${from.toISOString()}::timestamptz AND ${to.toISOString()}::timestamptz`;
}

/** The seats of one person in these rooms. */
export function seatCondition(rooms: Array<{ id: number }>, userId: number): SQL | undefined {
  const ids = rooms.map(({ id }) => id);
  return and(eq(membersTable.userId, userId), inArray(membersTable.roomId, ids));
}

/**
 * The number of messages of others, and of notices of what the seat's person did not do themselves, that they have not read; `lived` is
 * the rooms' `livedCondition`.
 */
export function unreadCount(userId: number, lived: SQL): SQL<string> {
  return sql`(
    SELECT count(*) FROM (
      SELECT FROM ${messagesTable} s
      WHERE s.room_id = ${membersTable.roomId} AND ${lived} AND NOT (${ownActCondition(userId)}) AND ${shownMessageCondition}
        AND s.seq > greatest(${membersTable.readSeq}, ${countersTable.lastSeq} - ${maxMessagesSearched})
      LIMIT ${maxUnreadCounted}) unread)`;
}

/** The number of unread messages in all of these rooms of a member together. */
export async function countUnreadIn(
  rooms: Array<RoomLifetime & { id: number }>,
  userId: number,
): Promise<number> {
  if (rooms.length === 0) return 0;
  const rows = await db()
    .select({ unread: unreadCount(userId, livedCondition(rooms)) })
    .from(membersTable)
    .innerJoin(countersTable, eq(countersTable.roomId, membersTable.roomId))
    .where(seatCondition(rooms, userId));
  return rows.reduce((sum, { unread }) => sum + Number(unread), 0);
}
