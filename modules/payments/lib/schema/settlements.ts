import { bigint, pgSchema, text, timestamp } from "drizzle-orm/pg-core";

// The mirror of db/migrations/0037_settlements.sql, which holds the rules.

const schema = pgSchema("payments");
const id = (name: string) => bigint(name, { mode: "number" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const settlements = schema.table("settlements", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  bankReference: text("bank_reference").notNull(),
  received: id("received").notNull(),
  cost: id("cost").notNull(),
  proposedBy: id("proposed_by").notNull(),
  proposedAt: at("proposed_at").notNull(),
  confirmedBy: id("confirmed_by"),
  confirmedAt: at("confirmed_at"),
  journalId: id("journal_id"),
  laidAsideBy: id("laid_aside_by"),
  laidAsideAt: at("laid_aside_at"),
  /** Null where the proposer's own correction took its place. */
  asideReason: text("aside_reason"),
});

/** A settlement of QPay as administrators entered it: it waits, is posted, or was laid aside. */
export type Settlement = typeof settlements.$inferSelect;
