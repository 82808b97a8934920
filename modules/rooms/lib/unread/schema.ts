import { boolean, pgSchema } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";

/** Mirrors db/migrations/0004_rooms.sql, which holds the constraints. */
const roomsSchema = pgSchema("rooms");

export const unreadSearchTable = roomsSchema.table("unread_searched", {
  single: boolean("single").primaryKey().default(true),
  messageId: bigintColumn("message_id").notNull(),
});

export const unreadNoticesTable = roomsSchema.table("unread_told", {
  roomId: bigintColumn("room_id").notNull(),
  userId: bigintColumn("user_id").notNull(),
  seq: bigintColumn("seq").notNull(),
  toldAt: timestampColumn("told_at").notNull(),
});
