import { jsonb, pgSchema, text } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import type { HoldFacts, HoldOutcome, HoldReason, HoldResolution } from "./hold-reasons.ts";

// Mirrors db/migrations/0005_payments.sql, which holds the constraints.

const paymentsSchema = pgSchema("payments");

export const holdsTable = paymentsSchema.table("holds", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  reference: bigintColumn("reference").notNull(),
  reason: text("reason").$type<HoldReason>().notNull(),
  subject: text("subject").notNull(),
  figures: text("figures").notNull().default(""),
  facts: jsonb("facts").$type<HoldFacts>().notNull(),
  openedAt: timestampColumn("opened_at").notNull(),
  openedBy: bigintColumn("opened_by"),
  toldAt: timestampColumn("told_at"),
  proposedOutcome: text("proposed_outcome").$type<HoldResolution>(),
  proposedBy: bigintColumn("proposed_by"),
  proposedAt: timestampColumn("proposed_at"),
  proposedNote: text("proposed_note"),
  closedAt: timestampColumn("closed_at"),
  outcome: text("outcome").$type<HoldOutcome>(),
  closedBy: bigintColumn("closed_by"),
  note: text("note"),
  outdatedAt: timestampColumn("outdated_at"),
});

/** One reason why a trade is or was on hold: open, or closed with its outcome. */
export type Hold = typeof holdsTable.$inferSelect;
