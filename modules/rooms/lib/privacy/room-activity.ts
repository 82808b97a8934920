import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { activityTable, countersTable } from "../core/schema.ts";

/** How far a room's position in its members' lists may lag behind its last message (ms). */
const activityLagMs = 60_000;

/**
 * Moves a room up in its members' lists, at most once a minute; within a page, the last message corrects the order. `counter` is the room's
 * counter row, which the caller has locked: only its holder writes the room's rows in these tables.
 */
export async function noteActivity(
  tx: Tx,
  counter: { roomId: number; activeAt: Date },
  at: Date,
): Promise<void> {
  const { roomId, activeAt } = counter;
  if (at.getTime() - activeAt.getTime() < activityLagMs) return;
  const time = sql`${at.toISOString()}::timestamptz`;
  await tx.execute(sql`
    WITH noted AS (UPDATE ${countersTable} SET active_at = ${time} WHERE room_id = ${roomId})
    UPDATE ${activityTable} SET at = ${time} WHERE room_id = ${roomId}`);
}

/** Adds a room to the list of a member who has just joined. The caller has locked the room's counter. */
export async function addToRoomList(tx: Tx, roomId: number, userId: number, at: Date): Promise<void> {
  await tx.insert(activityTable).values({ roomId, userId, at });
}

/** Removes a room from the list of a member who has left. The caller has locked the room's counter. */
export async function removeFromRoomList(tx: Tx, roomId: number, userId: number): Promise<void> {
  await tx
    .delete(activityTable)
    .where(sql`${eq(activityTable.roomId, roomId)} AND ${eq(activityTable.userId, userId)}`);
}
