import { bigint, customType, integer, jsonb, pgSchema, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** The mirror of db/migrations/0004_rooms.sql and what came after, where the rules are. */
const schema = pgSchema("rooms");
const id = (name: string) => bigint(name, { mode: "number" });
const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export type Role = "buyer" | "seller";
export type MessageType = "text" | "image" | "system" | "payment" | "payment_qr";

export const rooms = schema.table("rooms", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  name: text("name").notNull(),
  description: text("description"),
  createdById: id("created_by_id").notNull(),
  createdAt: at("created_at").notNull(),
  endedAt: at("ended_at"),
  deletedAt: at("deleted_at"),
});

export const members = schema.table("members", {
  roomId: id("room_id").notNull(),
  userId: id("user_id").notNull(),
  role: text("role").$type<Role>().notNull(),
  joinedAt: at("joined_at").notNull(),
  sinceSeq: id("since_seq").notNull().default(0),
  readSeq: id("read_seq").notNull().default(0),
  hiddenAt: at("hidden_at"),
});

export const invites = schema.table("invites", {
  roomId: id("room_id").primaryKey(),
  code: text("code").notNull(),
  createdById: id("created_by_id").notNull(),
  createdAt: at("created_at").notNull(),
});

export const counters = schema.table("counters", {
  roomId: id("room_id").primaryKey(),
  lastSeq: id("last_seq").notNull().default(0),
  activeAt: at("active_at").notNull().default(new Date(0)),
});

export const activity = schema.table("activity", {
  roomId: id("room_id").notNull(),
  userId: id("user_id").notNull(),
  at: at("at").notNull(),
});

export const messages = schema.table("messages", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  roomId: id("room_id").notNull(),
  seq: id("seq").notNull(),
  senderId: id("sender_id"),
  clientId: uuid("client_id"),
  type: text("type").$type<MessageType>().notNull(),
  content: text("content"),
  code: text("code"),
  params: jsonb("params").$type<Record<string, string | number>>(),
  imageUrl: text("image_url"),
  imageWidth: integer("image_width"),
  imageHeight: integer("image_height"),
  createdAt: at("created_at").notNull(),
  /** With it the digest in the log can be compared; null only in rows from before digests were kept. */
  salt: bytea("salt"),
});

export const images = schema.table("images", {
  id: uuid("id").primaryKey(),
  messageId: id("message_id").notNull(),
  /** The message's `createdAt`: the table of messages is parted by it, so a picture names it beside the number. */
  messageAt: at("message_at").notNull(),
  mime: text("mime").notNull(),
  bytes: integer("bytes").notNull(),
  sha256: text("sha256").notNull(),
  sentSha256: text("sent_sha256").notNull(),
});

export type RoomRow = typeof rooms.$inferSelect;
export type MemberRow = typeof members.$inferSelect;
export type MessageRow = typeof messages.$inferSelect;
