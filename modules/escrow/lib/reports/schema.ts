import { bigint, boolean, pgSchema, text, timestamp } from "drizzle-orm/pg-core";
import { reportAbout, reportHappened } from "../../forms.ts";

/** The mirror of db/migrations/0048_goods_and_reports.sql, where the rules are. */
const schema = pgSchema("escrow");
const big = (name: string) => bigint(name, { mode: "number" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const reports = schema.table("reports", {
  id: big("id").primaryKey().generatedAlwaysAsIdentity(),
  number: text("number").notNull(),
  fingerprint: text("fingerprint").notNull(),
  about: text("about", { enum: reportAbout }).notNull(),
  happened: text("happened", { enum: reportHappened }).notNull(),
  words: text("words").notNull(),
  reporterId: big("reporter_id"),
  email: text("email"),
  personId: big("person_id"),
  roomId: big("room_id"),
  tradeId: big("trade_id"),
  messageId: big("message_id"),
  message: text("message"),
  messageAt: at("message_at"),
  held: boolean("held").notNull(),
  suspect: boolean("suspect").notNull(),
  createdAt: at("created_at").notNull(),
  resolvedAt: at("resolved_at"),
  resolvedBy: big("resolved_by"),
  note: text("note"),
});

export type ReportRow = typeof reports.$inferSelect;
