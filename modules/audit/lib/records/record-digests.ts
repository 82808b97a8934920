import { type SQL, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { AuditAction } from "#locales";
import { recordAuditEntry } from "../entries/record-entry.ts";

/** How many mismatching records are named. */
export const maxNamedRecords = 5;

/**
 * SQL subquery of the digests of rooms' messages: `room_id`, `seq`, `digest`, `picture` (null if there is none), `later` (true if it was
 * added to the log after the message was written) and `entry`. `rooms` is a condition on the entry `e`.
 */
export function messageDigests(rooms: SQL): SQL {
  return sql`(
    SELECT e.room_id, (e.data->>'seq')::bigint AS seq, e.data->>'digest' AS digest, e.data->>'picture' AS picture, false AS later, e.id AS entry
    FROM audit.entries e
    WHERE e.action IN ('message_sent', 'image_sent', 'message_digested') AND e.data ? 'digest' AND ${rooms}
    UNION ALL
    SELECT e.room_id, d.key::bigint, d.value, e.data->'pictures'->>d.key, true, e.id
    FROM audit.entries e, jsonb_each_text(e.data->'digests') d
    WHERE e.action = 'messages_digested' AND e.data ? 'digests' AND ${rooms})`;
}

/** SQL subquery of the last erased `seq` of each room, as the log records it: `room_id`, `seq`. `rooms` is a condition on the entry `e`. */
export function erasedMessages(rooms: SQL): SQL {
  // An older version recorded no number: it erased all messages.
  return sql`(
    SELECT e.room_id, max(coalesce((e.data->>'lastSeq')::bigint, 9223372036854775807)) AS seq FROM audit.entries e
    WHERE e.action = 'room_erased' AND ${rooms} GROUP BY e.room_id)`;
}

/** The next room id after `after` that the log contains; undefined after the last. */
export async function nextLoggedRoom(exec: Executor, after: number): Promise<number | undefined> {
  const [row] = await exec.execute<{ id: string | null }>(
    sql`SELECT min(room_id)::text AS id FROM audit.entries WHERE room_id > ${after}::bigint`,
  );
  return row?.id == null ? undefined : Number(row.id);
}

/** SQL subquery of the digests of journals: `id`, `event`, `digest`. */
export const journalDigests = sql`(
  SELECT e.subject_id::bigint AS id, e.data->>'event' AS event, e.data->>'digest' AS digest
  FROM audit.entries e WHERE e.action = 'journal.posted'
  UNION ALL
  SELECT d.key::bigint, d.value->>0, d.value->>1
  FROM audit.entries e, jsonb_each(e.data->'digests') d
  WHERE e.action = 'journals_digested' AND e.data ? 'digests')`;

/**
 * True if the log records that it contains the digest of every record from before digests were kept: from then on no record may lack one.
 */
export async function areEarlierSealed(exec: Executor, action: AuditAction): Promise<boolean> {
  const [row] = await exec.execute<{ done: boolean }>(
    sql`SELECT EXISTS (SELECT FROM audit.entries WHERE action = ${action} AND data ? 'complete') AS done`,
  );
  return row?.done === true;
}

/** Records that completion, with the number of those records. */
export async function recordEarlierSealed(
  tx: Tx,
  action: AuditAction,
  at: Date,
  count: number,
): Promise<void> {
  await recordAuditEntry(tx, { by: { userId: null }, action, at, data: { complete: true, count } });
}
