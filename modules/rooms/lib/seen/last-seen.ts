import { sql } from "drizzle-orm";
import { db, type Tx } from "#db/client";
import { membersTable } from "../core/schema.ts";

type SeatKey = { roomId: number; userId: number };

const minuteMs = 60_000;

/** Rounds a time down to its minute: a last visit is never stored or shown to the second. */
export function minuteOf(at: Date): Date {
  return new Date(at.getTime() - (at.getTime() % minuteMs));
}

/**
 * Records that these members are in their rooms now: one statement, which writes each row at most once a minute. A row that somebody else has
 * locked is left out, because waiting for rows of several rooms could deadlock; the next time records it.
 */
export async function noteSeen(seats: readonly SeatKey[], at: Date): Promise<void> {
  if (seats.length === 0) return;
  const minute = sql`${minuteOf(at).toISOString()}::timestamptz`;
  const rooms = `{${seats.map(({ roomId }) => roomId)}}`;
  const people = `{${seats.map(({ userId }) => userId)}}`;
  await db().execute(sql`
    UPDATE ${membersTable} SET seen_at = ${minute}
    WHERE (room_id, user_id) IN (
      SELECT room_id, user_id FROM ${membersTable}
      WHERE (room_id, user_id) IN (SELECT * FROM unnest(${rooms}::bigint[], ${people}::bigint[]))
        AND (seen_at IS NULL OR seen_at < ${minute})
      FOR UPDATE SKIP LOCKED)`);
}

/** Forgets when a person was last in any room, in the transaction that deletes their account. */
export async function forgetSeen(tx: Tx, userId: number): Promise<void> {
  await tx.execute(
    sql`UPDATE ${membersTable} SET seen_at = NULL WHERE user_id = ${userId} AND seen_at IS NOT NULL`,
  );
}
