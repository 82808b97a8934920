import { sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { membersTable, messagesTable, roomsTable } from "../core/schema.ts";
import { queueUnreadNotice, unreadDelayMs } from "./notify-unread.ts";
import { unreadNoticesTable, unreadSearchTable } from "./schema.ts";

/** Messages read per step. */
const STEP = 20_000;

defineJob("rooms.unread-search", () => searchUnread(currentTime()).then(() => {}), { cron: "* * * * *" });

/**
 * Checks every message once, when it is five minutes old, and queues a notification for readers who have not read it (`notifyUnread`). It
 * adds no cost to sending: the search continues along the primary key from where it stopped, and messages sent while no instance ran are
 * found by the next one. Returns the number of readers found.
 */
export async function searchUnread(at: Date): Promise<number> {
  let found = 0;
  for (let more = true; more; ) {
    const step = await runInTransaction((tx) => searchStep(tx, at));
    found += step.found;
    more = step.more;
  }
  return found;
}

async function searchStep(tx: Tx, at: Date): Promise<{ found: number; more: boolean }> {
  const [searched] = await tx.select().from(unreadSearchTable).for("update");
  if (searched === undefined)
    throw new Error("rooms: the search for unread messages has no place to go on from");
  const from = searched.messageId;
  const { upTo, seen } = await findLastOldEnough(tx, from, at);
  if (upTo === null) return { found: 0, more: false };
  const readers = await tx.execute<{ room_id: string; user_id: string }>(sql`
    WITH said AS (
      SELECT room_id, sender_id, max(seq) AS seq FROM ${messagesTable}
      WHERE id > ${from} AND id <= ${upTo} AND sender_id IS NOT NULL GROUP BY room_id, sender_id
    )
    SELECT DISTINCT m.room_id, m.user_id FROM said
    JOIN ${membersTable} m ON m.room_id = said.room_id AND m.user_id <> said.sender_id AND m.read_seq < said.seq
    JOIN ${roomsTable} r ON r.id = m.room_id AND r.deleted_at IS NULL
    LEFT JOIN ${unreadNoticesTable} t ON t.room_id = m.room_id AND t.user_id = m.user_id
    WHERE m.hidden_at IS NULL
      AND (t.seq IS NULL OR t.seq <= m.read_seq OR t.told_at <= ${at.toISOString()}::timestamptz - interval '1 day')`);
  for (const { room_id, user_id } of readers) await queueUnreadNotice(tx, Number(room_id), Number(user_id));
  await tx.update(unreadSearchTable).set({ messageId: upTo });
  return { found: readers.length, more: seen === STEP };
}

/**
 * The last of the next messages that is old enough; null if none is. Ids are assigned before the commit and not exactly in order of time:
 * five minutes later, both have settled.
 */
async function findLastOldEnough(
  tx: Tx,
  from: number,
  at: Date,
): Promise<{ upTo: number | null; seen: number }> {
  const before = new Date(at.getTime() - unreadDelayMs);
  const [row] = await tx.execute<{ up_to: string | null; seen: string }>(sql`
    SELECT max(id) FILTER (WHERE created_at <= ${before.toISOString()}::timestamptz) AS up_to, count(*) AS seen
    FROM (SELECT id, created_at FROM ${messagesTable} WHERE id > ${from} ORDER BY id LIMIT ${STEP}) next`);
  const upTo = row?.up_to ?? null;
  return { upTo: upTo === null ? null : Number(upTo), seen: Number(row?.seen ?? 0) };
}
