import { and, gt, lte, max, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { membersTable, messagesTable } from "../core/schema.ts";
import { inRoomCondition } from "./conversation-span.ts";

/** Up to here the one who came later may not read: it was said to somebody who has left since. */
export const lastUnsharedSeq = (roomId: number) => sql`(
  SELECT coalesce(max(m.since_seq), 0) FROM ${membersTable} m WHERE m.room_id = ${roomId})`;

/** Said to both who have a seat in the room. What was said to a third before them is for nobody's eyes but theirs. */
export const sharedMessageCondition = (roomId: number) => gt(messagesTable.seq, lastUnsharedSeq(roomId));

/** When the last of what was not said to both was said; null where all of it was. */
export async function findUnsharedUntil(exec: Executor, roomId: number): Promise<Date | null> {
  const [row] = await exec
    .select({ at: max(messagesTable.createdAt) })
    .from(messagesTable)
    .where(and(inRoomCondition(roomId), lte(messagesTable.seq, lastUnsharedSeq(roomId))));
  return row?.at ?? null;
}
