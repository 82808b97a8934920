import { pgSchema, text } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import type { Ruling } from "../../machine/trade-types.ts";

/** Mirrors db/migrations/0007_escrow.sql, which holds the constraints. */
const escrowSchema = pgSchema("escrow");

/** Facts that an administrator must confirm to know before giving a ruling. */
const rulingWarnings = ["statements_open", "not_taken"] as const;
export type RulingWarning = (typeof rulingWarnings)[number];

/** A ruling above the four-eyes limit: what the mediator proposed, and who confirmed it. */
export const rulingProposalsTable = escrowSchema.table("ruling_proposals", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  tradeId: bigintColumn("trade_id").notNull(),
  disputeId: bigintColumn("dispute_id").notNull(),
  ruling: text("ruling").$type<Ruling>().notNull(),
  refundAmount: bigintColumn("refund_amount"),
  sum: bigintColumn("sum").notNull(),
  /** Null once it was erased together with the trade's texts. */
  reason: text("reason"),
  warnings: text("warnings").array().$type<RulingWarning[]>().notNull().default([]),
  proposedBy: bigintColumn("proposed_by").notNull(),
  proposedAt: timestampColumn("proposed_at").notNull(),
  confirmedBy: bigintColumn("confirmed_by"),
  confirmedAt: timestampColumn("confirmed_at"),
  withdrawnBy: bigintColumn("withdrawn_by"),
  withdrawnAt: timestampColumn("withdrawn_at"),
});

export type RulingProposal = typeof rulingProposalsTable.$inferSelect;
