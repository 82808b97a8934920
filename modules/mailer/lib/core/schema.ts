import { integer, jsonb, pgSchema, primaryKey, text } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import type { Language } from "#locales";
import type { CustomizableTemplate } from "../look/customizations.ts";
import type { TemplateName } from "../templates/templates.ts";

export const mailerSchema = pgSchema("mailer");

export const mailMessagesTable = mailerSchema.table("messages", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  key: text(),
  messageId: text("message_id").notNull(),
  template: text().$type<TemplateName>().notNull(),
  language: text().$type<Language>().notNull(),
  recipient: text().notNull(),
  replyTo: text("reply_to"),
  userId: bigintColumn("user_id"),
  data: jsonb().$type<Record<string, string | number>>().notNull(),
  state: text().$type<"queued" | "sent" | "failed">().notNull().default("queued"),
  attempts: integer().notNull().default(0),
  leaseUntil: timestampColumn("lease_until"),
  lastError: text("last_error"),
  createdAt: timestampColumn("created_at").notNull(),
  endedAt: timestampColumn("ended_at"),
  /** When and by which administrator a failed mail was settled. */
  dealtAt: timestampColumn("dealt_at"),
  dealtBy: bigintColumn("dealt_by"),
});

export const mailboxTable = mailerSchema.table("mailbox", {
  id: bigintColumn("id").primaryKey(),
  at: timestampColumn("at").notNull(),
  sender: text().notNull(),
  recipient: text().notNull(),
  subject: text().notNull(),
  html: text().notNull(),
  text: text().notNull(),
});

export const templateVersionsTable = mailerSchema.table(
  "template_versions",
  {
    template: text().$type<CustomizableTemplate>().notNull(),
    version: integer().notNull(),
    customizations: jsonb().$type<Record<string, string | number>>().notNull(),
    userId: bigintColumn("user_id").notNull(),
    savedAt: timestampColumn("saved_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.template, table.version] })],
);
