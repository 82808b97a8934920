import { and, eq, gte, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import { countersTable, imagesTable, messagesTable, roomsTable } from "../core/schema.ts";

const DAY_MS = 86_400_000;

/** When a room was created, and the activity time of its counter. */
export type RoomLifetime = { createdAt: Date; activeAt: Date };

/**
 * The period in which the messages of these rooms were sent. Messages are partitioned by time, so a query for a room's messages states this
 * period and skips the other partitions. The database guarantees it: it refuses a message more than a day older than its room, and advances
 * `activeAt` for one more than a day newer.
 */
export function conversationSpan(...lived: RoomLifetime[]): { from: Date; to: Date } {
  return {
    from: new Date(Math.min(...lived.map(({ createdAt }) => createdAt.getTime())) - DAY_MS),
    to: new Date(Math.max(...lived.map(({ activeAt }) => activeAt.getTime())) + DAY_MS),
  };
}

/** The messages of a room; the database looks up its period and reads no other partitions. */
export function inRoomCondition(roomId: number | Placeholder): SQL | undefined {
  const from = sql`(SELECT ${roomsTable.createdAt} - interval '1 day' FROM ${roomsTable} WHERE ${roomsTable.id} = ${roomId})`;
  const to = sql`(SELECT ${countersTable.activeAt} + interval '1 day' FROM ${countersTable} WHERE ${countersTable.roomId} = ${roomId})`;
  return and(
    eq(messagesTable.roomId, roomId),
    gte(messagesTable.createdAt, from),
    lte(messagesTable.createdAt, to),
  );
}

/** Joins a picture to its message, in the one partition that holds it. */
export const imageMessageJoin = and(
  eq(messagesTable.id, imagesTable.messageId),
  eq(messagesTable.createdAt, imagesTable.messageAt),
);
