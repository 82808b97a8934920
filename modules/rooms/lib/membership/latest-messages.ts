import { and, eq, inArray, sql } from "drizzle-orm";
import { db } from "#db/client";
import type { Language } from "#locales";
import { messageOf } from "../core/message.ts";
import { findNoticeNames } from "../core/notice-names.ts";
import type { Message } from "../core/responses.ts";
import { countersTable, membersTable, messagesTable } from "../core/schema.ts";
import type { RoomLifetime } from "../messages/conversation-span.ts";
import { livedCondition, seatCondition, shownMessageCondition, unreadCount } from "../unread/unread-query.ts";

/** A message's id and time, as the database formats it. */
type MessagePointer = { id: number; at: string };
export type MessageSummary = { lastMessage: Message | null; unread: number };

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
