import { and, gt, lte, max, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { membersTable, messagesTable } from "../core/schema.ts";
import { inRoomCondition } from "./conversation-span.ts";

/** The `seq` up to which the member who joined later may not read: those messages were meant for someone who has left. */
export const lastUnsharedSeq = (roomId: number) => sql`(
  SELECT coalesce(max(m.since_seq), 0) FROM ${membersTable} m WHERE m.room_id = ${roomId})`;

/** Messages that both members of the room can see. Earlier ones were meant for someone who has left, and nobody else may read them. */
export const sharedMessageCondition = (roomId: number) => gt(messagesTable.seq, lastUnsharedSeq(roomId));

/** The time of the last message that only one of the members can see; null if there is none. */
export async function findUnsharedUntil(exec: Executor, roomId: number): Promise<Date | null> {
  const [row] = await exec
    .select({ at: max(messagesTable.createdAt) })
    .from(messagesTable)
    .where(and(inRoomCondition(roomId), lte(messagesTable.seq, lastUnsharedSeq(roomId))));
  return row?.at ?? null;
}
