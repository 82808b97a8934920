import { bigint, pgSchema, text, timestamp } from "drizzle-orm/pg-core";
import type { Ruling } from "../../machine/trade-types.ts";

/** The mirror of db/migrations/0040_payout_rules.sql, where the rules are. */
const schema = pgSchema("escrow");
const big = (name: string) => bigint(name, { mode: "number" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** Why a ruling is given only by whoever confirms that they know it. */
export const rulingWarnings = ["statements_open", "not_taken"] as const;
export type RulingWarning = (typeof rulingWarnings)[number];

/** A ruling above the limit of four eyes: what the mediator proposes, and who confirmed it. */
export const rulingProposals = schema.table("ruling_proposals", {
  id: big("id").primaryKey().generatedAlwaysAsIdentity(),
  tradeId: big("trade_id").notNull(),
  disputeId: big("dispute_id").notNull(),
  ruling: text("ruling").$type<Ruling>().notNull(),
  refundAmount: big("refund_amount"),
  sum: big("sum").notNull(),
  /** Null once it was erased with its trade. */
  reason: text("reason"),
  warnings: text("warnings").array().$type<RulingWarning[]>().notNull().default([]),
  proposedBy: big("proposed_by").notNull(),
  proposedAt: at("proposed_at").notNull(),
  confirmedBy: big("confirmed_by"),
  confirmedAt: at("confirmed_at"),
  withdrawnBy: big("withdrawn_by"),
  withdrawnAt: at("withdrawn_at"),
});

export type RulingProposal = typeof rulingProposals.$inferSelect;
