import { and, eq, inArray, sql } from "drizzle-orm";
import { db } from "#db/client";
import type { Language } from "#locales";
import { roomLimits } from "../../forms.ts";
import { type Message, messageOf } from "../core/message.ts";
import { namesIn } from "../core/notice-names.ts";
import { counters, members, messages } from "../core/schema.ts";
import { type Lived, span } from "../messages/conversation-span.ts";

/** A message by its number and its moment, as the database spells it. */
type Said = { id: number; at: string };
export type Latest = { lastMessage: Message | null; unread: number };

/** Unread messages are counted up to here, and among as many again: who writes much and reads nothing costs no more. */
const mostUnread = roomLimits.unreadShown + 1;
const mostLooked = 2 * mostUnread;

/** What a chat does not show (`notice.ts`) is neither last nor unread. */
const shown = sql`s.type NOT IN ('payment', 'payment_qr')`;

/** What was said last in each of a member's rooms, as far as they may see it, and how much of it they have not read. */
export async function latestIn(
  rooms: Array<Lived & { id: number }>,
  userId: number,
  language: Language,
): Promise<Map<number, Latest>> {
  if (rooms.length === 0) return new Map();
  const { from, to } = span(...rooms);
  const lived = sql`s.created_at BETWEEN ${from.toISOString()}::timestamptz AND ${to.toISOString()}::timestamptz`;
  const rows = await db()
    .select({
      roomId: members.roomId,
      last: sql<Said | null>`(
        SELECT jsonb_build_object('id', s.id, 'at', s.created_at) FROM ${messages} s
        WHERE s.room_id = ${members.roomId} AND ${lived} AND s.seq > ${members.sinceSeq} AND ${shown}
        ORDER BY s.seq DESC LIMIT 1)`,
      unread: sql<string>`(
        SELECT count(*) FROM (
          SELECT FROM ${messages} s
          WHERE s.room_id = ${members.roomId} AND ${lived} AND s.sender_id IS DISTINCT FROM ${userId} AND ${shown}
            AND s.seq > greatest(${members.readSeq}, ${counters.lastSeq} - ${mostLooked})
          LIMIT ${mostUnread}) unread)`,
    })
    .from(members)
    .innerJoin(counters, eq(counters.roomId, members.roomId))
    .where(
      and(
        eq(members.userId, userId),
        inArray(
          members.roomId,
          rooms.map(({ id }) => id),
        ),
      ),
    );
  const said = await words(
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

async function words(said: Said[], language: Language): Promise<Map<number, Message>> {
  if (said.length === 0) return new Map();
  const ids = said.map(({ id }) => id);
  // Their moments say in which partitions they lie.
  const moments = sql.join(
    said.map(({ at }) => sql`${at}::timestamptz`),
    sql`, `,
  );
  const rows = await db()
    .select()
    .from(messages)
    .where(and(inArray(messages.id, ids), sql`${messages.createdAt} IN (${moments})`));
  const names = await namesIn(db(), rows);
  return new Map(rows.map((row) => [row.roomId, messageOf(row, language, names)]));
}
