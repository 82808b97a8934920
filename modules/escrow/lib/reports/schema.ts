import { boolean, pgSchema, text } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import { reportAbout, reportHappened } from "../../forms.ts";

/** Mirrors db/migrations/0007_escrow.sql, which holds the constraints. */
const escrowSchema = pgSchema("escrow");

export const reportsTable = escrowSchema.table("reports", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  number: text("number").notNull(),
  fingerprint: text("fingerprint").notNull(),
  about: text("about", { enum: reportAbout }).notNull(),
  happened: text("happened", { enum: reportHappened }).notNull(),
  words: text("words").notNull(),
  reporterId: bigintColumn("reporter_id"),
  email: text("email"),
  personId: bigintColumn("person_id"),
  roomId: bigintColumn("room_id"),
  tradeId: bigintColumn("trade_id"),
  messageId: bigintColumn("message_id"),
  message: text("message"),
  messageAt: timestampColumn("message_at"),
  held: boolean("held").notNull(),
  suspect: boolean("suspect").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
  resolvedAt: timestampColumn("resolved_at"),
  resolvedBy: bigintColumn("resolved_by"),
  note: text("note"),
});

export type ReportRow = typeof reportsTable.$inferSelect;
