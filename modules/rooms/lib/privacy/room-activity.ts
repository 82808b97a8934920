import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { activityTable, countersTable } from "../core/schema.ts";

/** How far a room's place in its members' lists may lag behind its last message, in milliseconds. */
const activityLagMs = 60_000;

/**
 * Moves a room up in its members' lists, at most once a minute: within a page lists are put right by the last message
 * itself. `counter` is the room's, as the caller locked it: who holds it is alone with the room's rows here, which nobody
 * touches otherwise.
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

/** Puts a room into the list of who has just sat down. The caller holds the room's counter. */
export async function addToRoomList(tx: Tx, roomId: number, userId: number, at: Date): Promise<void> {
  await tx.insert(activityTable).values({ roomId, userId, at });
}

/** Takes it out again, for who gave the seat up. The caller holds the room's counter. */
export async function removeFromRoomList(tx: Tx, roomId: number, userId: number): Promise<void> {
  await tx
    .delete(activityTable)
    .where(sql`${eq(activityTable.roomId, roomId)} AND ${eq(activityTable.userId, userId)}`);
}
