import { integer, jsonb, pgSchema, text, uuid } from "drizzle-orm/pg-core";
import { bigintColumn, bytea, timestampColumn } from "#db/columns";

/** Mirrors db/migrations/0004_rooms.sql, which holds the constraints. */
const roomsSchema = pgSchema("rooms");

export const memberRoles = ["buyer", "seller"] as const;
export type Role = (typeof memberRoles)[number];
export const messageTypes = ["text", "image", "system", "payment", "payment_qr"] as const;
export type MessageType = (typeof messageTypes)[number];

export const roomsTable = roomsSchema.table("rooms", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  name: text("name").notNull(),
  description: text("description"),
  createdById: bigintColumn("created_by_id").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
  endedAt: timestampColumn("ended_at"),
  deletedAt: timestampColumn("deleted_at"),
});

export const membersTable = roomsSchema.table("members", {
  roomId: bigintColumn("room_id").notNull(),
  userId: bigintColumn("user_id").notNull(),
  role: text("role").$type<Role>().notNull(),
  joinedAt: timestampColumn("joined_at").notNull(),
  sinceSeq: bigintColumn("since_seq").notNull().default(0),
  readSeq: bigintColumn("read_seq").notNull().default(0),
  hiddenAt: timestampColumn("hidden_at"),
  /** When the member was last here, to the minute; null before the first time. */
  seenAt: timestampColumn("seen_at"),
});

export const invitesTable = roomsSchema.table("invites", {
  roomId: bigintColumn("room_id").primaryKey(),
  code: text("code").notNull(),
  createdById: bigintColumn("created_by_id").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
});

export const countersTable = roomsSchema.table("counters", {
  roomId: bigintColumn("room_id").primaryKey(),
  lastSeq: bigintColumn("last_seq").notNull().default(0),
  activeAt: timestampColumn("active_at").notNull().default(new Date(0)),
});

export const activityTable = roomsSchema.table("activity", {
  roomId: bigintColumn("room_id").notNull(),
  userId: bigintColumn("user_id").notNull(),
  at: timestampColumn("at").notNull(),
});

export const messagesTable = roomsSchema.table("messages", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  roomId: bigintColumn("room_id").notNull(),
  seq: bigintColumn("seq").notNull(),
  senderId: bigintColumn("sender_id"),
  clientId: uuid("client_id"),
  type: text("type").$type<MessageType>().notNull(),
  content: text("content"),
  code: text("code"),
  params: jsonb("params").$type<Record<string, string | number>>(),
  imageUrl: text("image_url"),
  imageWidth: integer("image_width"),
  imageHeight: integer("image_height"),
  createdAt: timestampColumn("created_at").notNull(),
  /** The `seq` of the message that this one replies to. */
  replyTo: bigintColumn("reply_to"),
  /** Needed to compare the digest in the log; null only in rows from before digests were stored. */
  salt: bytea("salt"),
});

export const imagesTable = roomsSchema.table("images", {
  id: uuid("id").primaryKey(),
  messageId: bigintColumn("message_id").notNull(),
  /** The message's `createdAt`: messages are partitioned by it, so a picture references it beside the id. */
  messageAt: timestampColumn("message_at").notNull(),
  mime: text("mime").notNull(),
  bytes: integer("bytes").notNull(),
  sha256: text("sha256").notNull(),
  sentSha256: text("sent_sha256").notNull(),
});

export type RoomRow = typeof roomsTable.$inferSelect;
export type MemberRow = typeof membersTable.$inferSelect;
export type MessageRow = typeof messagesTable.$inferSelect;
