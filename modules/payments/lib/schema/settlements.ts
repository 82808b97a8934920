import { pgSchema, text } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";

// Mirrors db/migrations/0005_payments.sql, which holds the constraints.

const paymentsSchema = pgSchema("payments");

export const settlementsTable = paymentsSchema.table("settlements", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  bankReference: text("bank_reference").notNull(),
  received: bigintColumn("received").notNull(),
  cost: bigintColumn("cost").notNull(),
  proposedBy: bigintColumn("proposed_by").notNull(),
  proposedAt: timestampColumn("proposed_at").notNull(),
  confirmedBy: bigintColumn("confirmed_by"),
  confirmedAt: timestampColumn("confirmed_at"),
  journalId: bigintColumn("journal_id"),
  discardedBy: bigintColumn("laid_aside_by"),
  discardedAt: timestampColumn("laid_aside_at"),
  /** Null if the proposer's own correction replaced the entry. */
  discardReason: text("aside_reason"),
});

/** A QPay settlement as administrators entered it: waiting, posted, or discarded. */
export type Settlement = typeof settlementsTable.$inferSelect;
