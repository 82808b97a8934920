import { and, gt, lte, max, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { members, messages } from "../core/schema.ts";
import { saidInRoom } from "./conversation-span.ts";

/** Up to here the one who came later may not read: it was said to somebody who has left since. */
export const unshared = (roomId: number) => sql`(
  SELECT coalesce(max(m.since_seq), 0) FROM ${members} m WHERE m.room_id = ${roomId})`;

/** Said to both who have a seat in the room. What was said to a third before them is for nobody's eyes but theirs. */
export const saidToBoth = (roomId: number) => gt(messages.seq, unshared(roomId));

/** When the last of what was not said to both was said; null where all of it was. */
export async function unsharedUntil(exec: Executor, roomId: number): Promise<Date | null> {
  const [row] = await exec
    .select({ at: max(messages.createdAt) })
    .from(messages)
    .where(and(saidInRoom(roomId), lte(messages.seq, unshared(roomId))));
  return row?.at ?? null;
}
