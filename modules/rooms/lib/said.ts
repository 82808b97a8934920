import { and, eq, gte, type SQL, sql } from "drizzle-orm";
import { images, messages, rooms } from "./schema.ts";

const DAY_MS = 86_400_000;

/**
 * No message is more than a day older than its room: the database refuses it (`messages_since_room`). Messages lie in partitions by
 * their moments, so whoever reads those of a room says since when there may be any, and is spared all that lie before.
 */
export function saidSince(room: { createdAt: Date }): Date {
  return new Date(room.createdAt.getTime() - DAY_MS);
}

/** The messages of a room whose beginning is known. */
export function saidIn(roomId: number, room: { createdAt: Date }): SQL | undefined {
  return and(eq(messages.roomId, roomId), gte(messages.createdAt, saidSince(room)));
}

/** The messages of a room whose beginning the database looks up. */
export function saidInRoom(roomId: number): SQL | undefined {
  const since = sql`(SELECT ${rooms.createdAt} - interval '1 day' FROM ${rooms} WHERE ${rooms.id} = ${roomId})`;
  return and(eq(messages.roomId, roomId), gte(messages.createdAt, since));
}

/** A picture's message, in the one partition that holds it. */
export const ofImage = and(eq(messages.id, images.messageId), eq(messages.createdAt, images.messageAt));
