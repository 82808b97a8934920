import { boolean, integer, jsonb, text } from "drizzle-orm/pg-core";
import { bigintColumn, bytea, timestampColumn } from "#db/columns";
import { mailerSchema } from "../core/schema.ts";
import type { Mail } from "../sending/send-mail.ts";
import type { PushEvent } from "./push-events.ts";

/** Mirrors db/migrations/0002_mailer.sql, which holds the constraints. */

export const pushSubscriptionsTable = mailerSchema.table("push_subscriptions", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  userId: bigintColumn("user_id").notNull(),
  sessionId: bigintColumn("session_id").notNull(),
  endpoint: text().notNull(),
  p256dh: text().notNull(),
  auth: text().notNull(),
  device: text().notNull(),
  createdAt: timestampColumn("created_at").notNull(),
  usedAt: timestampColumn("used_at"),
  failures: integer().notNull().default(0),
});

export const pushesTable = mailerSchema.table("pushes", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  key: text(),
  userId: bigintColumn("user_id").notNull(),
  event: text().$type<PushEvent>().notNull(),
  params: jsonb().$type<Record<string, string | number>>().notNull(),
  url: text().notNull(),
  otherwise: jsonb().$type<Mail>(),
  waiting: bigintColumn("waiting").array(),
  taken: boolean().notNull().default(false),
  attempts: integer().notNull().default(0),
  createdAt: timestampColumn("created_at").notNull(),
  endedAt: timestampColumn("ended_at"),
});

export const vapidKeysTable = mailerSchema.table("vapid_keys", {
  single: boolean().primaryKey().default(true),
  publicKey: text("public_key").notNull(),
  privateKey: bytea("private_key").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
});

export type SubscriptionRow = typeof pushSubscriptionsTable.$inferSelect;
export type PushRow = typeof pushesTable.$inferSelect;
