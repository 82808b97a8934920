import { bigint, boolean, pgSchema, timestamp } from "drizzle-orm/pg-core";

/** Mirrors db/migrations/0004_rooms.sql, which holds the constraints. */
const roomsSchema = pgSchema("rooms");

export const unreadSearchTable = roomsSchema.table("unread_searched", {
  single: boolean("single").primaryKey().default(true),
  messageId: bigint("message_id", { mode: "number" }).notNull(),
});

export const unreadNoticesTable = roomsSchema.table("unread_told", {
  roomId: bigint("room_id", { mode: "number" }).notNull(),
  userId: bigint("user_id", { mode: "number" }).notNull(),
  seq: bigint("seq", { mode: "number" }).notNull(),
  toldAt: timestamp("told_at", { withTimezone: true, mode: "date" }).notNull(),
});
