import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import type { Language } from "#locales";
import { roomLimits } from "../../constants.ts";
import { messageOf } from "../core/message.ts";
import { findNoticeNames } from "../core/notice-names.ts";
import type { Message } from "../core/responses.ts";
import { countersTable, membersTable, messagesTable } from "../core/schema.ts";
import { conversationSpan, type RoomLifetime } from "../messages/conversation-span.ts";

/** A message's id and time, as the database formats it. */
type MessagePointer = { id: number; at: string };
export type MessageSummary = { lastMessage: Message | null; unread: number };

/**
 * Unread messages are counted up to this, among the last twice as many, so that a member who writes much and reads nothing costs no more.
 */
const maxUnreadCounted = roomLimits.unreadShown + 1;
const maxMessagesSearched = 2 * maxUnreadCounted;

/** Messages that a chat does not show (`RoomNotice`) count neither as last nor as unread. */
const shownMessageCondition = sql`s.type NOT IN ('payment', 'payment_qr')`;

/** The last message in each of a member's rooms that they may see, and the number of unread ones. */
export async function summarizeMessages(
  rooms: Array<RoomLifetime & { id: number }>,
  userId: number,
  language: Language,
): Promise<Map<number, MessageSummary>> {
  if (rooms.length === 0) return new Map();
  const lived = livedCondition(rooms);
  const rows = await db()
    .select({
      roomId: membersTable.roomId,
      last: sql<MessagePointer | null>`(
        SELECT jsonb_build_object('id', s.id, 'at', s.created_at) FROM ${messagesTable} s
        WHERE s.room_id = ${membersTable.roomId} AND ${lived} AND s.seq > ${membersTable.sinceSeq} AND ${shownMessageCondition}
        ORDER BY s.seq DESC LIMIT 1)`,
      unread: unreadCount(userId, lived),
    })
    .from(membersTable)
    .innerJoin(countersTable, eq(countersTable.roomId, membersTable.roomId))
    .where(seatCondition(rooms, userId));
  const said = await readLatestMessages(
    rows.flatMap(({ last }) => (last === null ? [] : [last])),
    language,
  );
  return new Map(
    rows.map(({ roomId, unread }) => [
      roomId,
      { unread: Number(unread), lastMessage: said.get(roomId) ?? null },
    ]),
  );
}

/** When messages of these rooms were sent: selects the partitions. */
function livedCondition(rooms: RoomLifetime[]): SQL {
  const { from, to } = conversationSpan(...rooms);
  return sql`s.created_at BETWEEN ${from.toISOString()}::timestamptz AND ${to.toISOString()}::timestamptz`;
}

function unreadCount(userId: number, lived: SQL): SQL<string> {
  return sql`(
    SELECT count(*) FROM (
      SELECT FROM ${messagesTable} s
      WHERE s.room_id = ${membersTable.roomId} AND ${lived} AND s.sender_id IS DISTINCT FROM ${userId} AND ${shownMessageCondition}
        AND s.seq > greatest(${membersTable.readSeq}, ${countersTable.lastSeq} - ${maxMessagesSearched})
      LIMIT ${maxUnreadCounted}) unread)`;
}

const seatCondition = (rooms: Array<{ id: number }>, userId: number) =>
  and(
    eq(membersTable.userId, userId),
    inArray(
      membersTable.roomId,
      rooms.map(({ id }) => id),
    ),
  );

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

async function readLatestMessages(said: MessagePointer[], language: Language): Promise<Map<number, Message>> {
  if (said.length === 0) return new Map();
  const ids = said.map(({ id }) => id);
  // Their times select the partitions.
  const moments = sql.join(
    said.map(({ at }) => sql`${at}::timestamptz`),
    sql`, `,
  );
  const rows = await db()
    .select()
    .from(messagesTable)
    .where(and(inArray(messagesTable.id, ids), sql`${messagesTable.createdAt} IN (${moments})`));
  const names = await findNoticeNames(db(), rows);
  return new Map(rows.map((row) => [row.roomId, messageOf(row, language, names)]));
}
