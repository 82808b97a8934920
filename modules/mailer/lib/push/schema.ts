import { bigint, boolean, integer, jsonb, text, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "#db/columns";
import { mailer } from "../core/schema.ts";
import type { Mail } from "../sending/send-mail.ts";
import type { PushEvent } from "./push-events.ts";

/** The mirror of db/migrations/0014_push.sql; the rules are there. */
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const id = (name: string) => bigint(name, { mode: "number" });

export const subscriptions = mailer.table("push_subscriptions", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  userId: id("user_id").notNull(),
  sessionId: id("session_id").notNull(),
  endpoint: text().notNull(),
  p256dh: text().notNull(),
  auth: text().notNull(),
  device: text().notNull(),
  createdAt: moment("created_at").notNull(),
  usedAt: moment("used_at"),
  failures: integer().notNull().default(0),
});

export const pushes = mailer.table("pushes", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  key: text(),
  userId: id("user_id").notNull(),
  event: text().$type<PushEvent>().notNull(),
  params: jsonb().$type<Record<string, string | number>>().notNull(),
  url: text().notNull(),
  otherwise: jsonb().$type<Mail>(),
  waiting: bigint({ mode: "number" }).array(),
  taken: boolean().notNull().default(false),
  attempts: integer().notNull().default(0),
  createdAt: moment("created_at").notNull(),
  endedAt: moment("ended_at"),
});

export const vapidKeys = mailer.table("vapid_keys", {
  single: boolean().primaryKey().default(true),
  publicKey: text("public_key").notNull(),
  privateKey: bytea("private_key").notNull(),
  createdAt: moment("created_at").notNull(),
});

export type SubscriptionRow = typeof subscriptions.$inferSelect;
export type PushRow = typeof pushes.$inferSelect;
