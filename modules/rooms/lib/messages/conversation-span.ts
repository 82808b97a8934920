import { and, eq, gte, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import { counters, images, messages, rooms } from "../core/schema.ts";

const DAY_MS = 86_400_000;

/** When a room began, and when its counter was last said to be active. */
export type Lived = { createdAt: Date; activeAt: Date };

/**
 * Between which moments the messages of a room, or of several, were said. Messages lie in partitions by their moments, so whoever
 * reads those of a room says this, and is spared the partitions before and after. The database holds to it: it refuses a message
 * more than a day older than its room, and moves `activeAt` on where one is more than a day younger.
 */
export function span(...lived: Lived[]): { from: Date; to: Date } {
  return {
    from: new Date(Math.min(...lived.map(({ createdAt }) => createdAt.getTime())) - DAY_MS),
    to: new Date(Math.max(...lived.map(({ activeAt }) => activeAt.getTime())) + DAY_MS),
  };
}

/** The messages of a room; the database looks its span up, and opens no other partition. */
export function saidInRoom(roomId: number | Placeholder): SQL | undefined {
  const from = sql`(SELECT ${rooms.createdAt} - interval '1 day' FROM ${rooms} WHERE ${rooms.id} = ${roomId})`;
  const to = sql`(SELECT ${counters.activeAt} + interval '1 day' FROM ${counters} WHERE ${counters.roomId} = ${roomId})`;
  return and(eq(messages.roomId, roomId), gte(messages.createdAt, from), lte(messages.createdAt, to));
}

/** A picture's message, in the one partition that holds it. */
export const ofImage = and(eq(messages.id, images.messageId), eq(messages.createdAt, images.messageAt));
