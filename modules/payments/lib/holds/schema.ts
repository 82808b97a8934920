import { bigint, jsonb, pgSchema, text, timestamp } from "drizzle-orm/pg-core";
import type { HoldFacts, HoldOutcome, HoldReason, HoldResolution } from "./hold-reasons.ts";

// The mirror of db/migrations/0039_holds.sql and 0045_holds_again.sql, which hold the rules.

const schema = pgSchema("payments");
const id = (name: string) => bigint(name, { mode: "number" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const holds = schema.table("holds", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  reference: id("reference").notNull(),
  reason: text("reason").$type<HoldReason>().notNull(),
  subject: text("subject").notNull(),
  figures: text("figures").notNull().default(""),
  facts: jsonb("facts").$type<HoldFacts>().notNull(),
  openedAt: at("opened_at").notNull(),
  openedBy: id("opened_by"),
  toldAt: at("told_at"),
  proposedOutcome: text("proposed_outcome").$type<HoldResolution>(),
  proposedBy: id("proposed_by"),
  proposedAt: at("proposed_at"),
  proposedNote: text("proposed_note"),
  closedAt: at("closed_at"),
  outcome: text("outcome").$type<HoldOutcome>(),
  closedBy: id("closed_by"),
  note: text("note"),
  outdatedAt: at("outdated_at"),
});

/** One reason for which a trade's money stands still: open, or closed with its outcome. */
export type Hold = typeof holds.$inferSelect;
