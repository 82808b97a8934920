import { and, eq, gte, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import { countersTable, imagesTable, messagesTable, roomsTable } from "../core/schema.ts";

const DAY_MS = 86_400_000;

/** When a room began, and when its counter was last said to be active. */
export type RoomLifetime = { createdAt: Date; activeAt: Date };

/**
 * Between which moments the messages of a room, or of several, were said. Messages lie in partitions by their moments, so whoever
 * reads those of a room says this, and is spared the partitions before and after. The database holds to it: it refuses a message
 * more than a day older than its room, and moves `activeAt` on where one is more than a day younger.
 */
export function conversationSpan(...lived: RoomLifetime[]): { from: Date; to: Date } {
  return {
    from: new Date(Math.min(...lived.map(({ createdAt }) => createdAt.getTime())) - DAY_MS),
    to: new Date(Math.max(...lived.map(({ activeAt }) => activeAt.getTime())) + DAY_MS),
  };
}

/** The messages of a room; the database looks its span up, and opens no other partition. */
export function inRoomCondition(roomId: number | Placeholder): SQL | undefined {
  const from = sql`(SELECT ${roomsTable.createdAt} - interval '1 day' FROM ${roomsTable} WHERE ${roomsTable.id} = ${roomId})`;
  const to = sql`(SELECT ${countersTable.activeAt} + interval '1 day' FROM ${countersTable} WHERE ${countersTable.roomId} = ${roomId})`;
  return and(
    eq(messagesTable.roomId, roomId),
    gte(messagesTable.createdAt, from),
    lte(messagesTable.createdAt, to),
  );
}

/** A picture's message, in the one partition that holds it. */
export const imageMessageJoin = and(
  eq(messagesTable.id, imagesTable.messageId),
  eq(messagesTable.createdAt, imagesTable.messageAt),
);
