import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { activity, counters } from "../core/schema.ts";

/** How far a room's place in its members' lists may lag behind its last message, in milliseconds. */
const lag = 60_000;

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
  if (at.getTime() - activeAt.getTime() < lag) return;
  const time = sql`${at.toISOString()}::timestamptz`;
  await tx.execute(sql`
    WITH noted AS (UPDATE ${counters} SET active_at = ${time} WHERE room_id = ${roomId})
    UPDATE ${activity} SET at = ${time} WHERE room_id = ${roomId}`);
}

/** Puts a room into the list of who has just sat down. The caller holds the room's counter. */
export async function enlist(tx: Tx, roomId: number, userId: number, at: Date): Promise<void> {
  await tx.insert(activity).values({ roomId, userId, at });
}

/** Takes it out again, for who gave the seat up. The caller holds the room's counter. */
export async function delist(tx: Tx, roomId: number, userId: number): Promise<void> {
  await tx.delete(activity).where(sql`${eq(activity.roomId, roomId)} AND ${eq(activity.userId, userId)}`);
}
