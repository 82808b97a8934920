import { bigint, pgSchema, text, timestamp } from "drizzle-orm/pg-core";

// The mirror of db/migrations/0005_payments.sql, which holds the rules.

const paymentsSchema = pgSchema("payments");
const bigintColumn = (name: string) => bigint(name, { mode: "number" });
const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

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
  laidAsideBy: bigintColumn("laid_aside_by"),
  laidAsideAt: timestampColumn("laid_aside_at"),
  /** Null where the proposer's own correction took its place. */
  asideReason: text("aside_reason"),
});

/** A settlement of QPay as administrators entered it: it waits, is posted, or was laid aside. */
export type Settlement = typeof settlementsTable.$inferSelect;
