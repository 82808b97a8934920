import { boolean, date, integer, pgSchema, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bigintColumn, bytea, timestampColumn } from "#db/columns";
import type { Goods } from "../../forms.ts";
import type {
  DeadlineKind,
  Disputable,
  DisputeOutcome,
  EndReason,
  FeePayer,
  FeePolicy,
  Party,
  Status,
  StepKey,
} from "../machine/trade-types.ts";

/** Mirrors db/migrations/0007_escrow.sql, which holds the constraints. */
const escrowSchema = pgSchema("escrow");

export const tradesTable = escrowSchema.table("trades", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  code: text("code").notNull(),
  roomId: bigintColumn("room_id").notNull(),
  buyerId: bigintColumn("buyer_id").notNull(),
  sellerId: bigintColumn("seller_id").notNull(),
  amount: bigintColumn("amount").notNull(),
  fee: bigintColumn("fee").notNull(),
  feePayer: text("fee_payer").$type<FeePayer>().notNull(),
  feePolicy: text("fee_policy").$type<FeePolicy>().notNull(),
  gross: bigintColumn("gross").notNull(),
  net: bigintColumn("net").notNull(),
  goods: text("goods").$type<Goods>().notNull().default("other"),
  description: text("description"),
  status: text("status").$type<Status>().notNull(),
  invoiceId: uuid("invoice_id"),
  rolesLockedAt: timestampColumn("roles_locked_at"),
  markedPaidAt: timestampColumn("marked_paid_at"),
  confirmedAt: timestampColumn("confirmed_at"),
  handedOverAt: timestampColumn("handed_over_at"),
  handOverNote: text("hand_over_note"),
  receivedOtherwiseAt: timestampColumn("received_otherwise_at"),
  buyerCompletedAt: timestampColumn("buyer_completed_at"),
  sellerCompletedAt: timestampColumn("seller_completed_at"),
  buyerCancelAt: timestampColumn("buyer_cancel_at"),
  sellerCancelAt: timestampColumn("seller_cancel_at"),
  disputedFrom: text("disputed_from").$type<Disputable>(),
  endReason: text("end_reason").$type<EndReason>(),
  endedAt: timestampColumn("ended_at"),
  hiddenAt: timestampColumn("hidden_at"),
  erasedAt: timestampColumn("erased_at"),
  createdAt: timestampColumn("created_at").notNull(),
  updatedAt: timestampColumn("updated_at").notNull(),
  /** Since when both parties have been shown that their payment is being checked. */
  onHoldSince: timestampColumn("on_hold_since"),
});

export const stepsTable = escrowSchema.table(
  "steps",
  {
    tradeId: bigintColumn("trade_id").notNull(),
    step: text("step").$type<StepKey>().notNull(),
    completedAt: timestampColumn("completed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tradeId, table.step] })],
);

export type DeadlineState = "running" | "paused" | "overdue" | "closed";

export const deadlinesTable = escrowSchema.table("deadlines", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  tradeId: bigintColumn("trade_id").notNull(),
  kind: text("kind").$type<DeadlineKind>().notNull(),
  state: text("state").$type<DeadlineState>().notNull(),
  startedAt: timestampColumn("started_at").notNull(),
  dueAt: timestampColumn("due_at").notNull(),
  /** By how many ms the deadline was extended because Midman itself was not running. */
  extendedMs: bigintColumn("extended_ms").notNull().default(0),
  reminded: integer("reminded").notNull().default(0),
  nextAt: timestampColumn("next_at"),
  pausedAt: timestampColumn("paused_at"),
  overdueAt: timestampColumn("overdue_at"),
  closedAt: timestampColumn("closed_at"),
});

export const disputesTable = escrowSchema.table("disputes", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  tradeId: bigintColumn("trade_id").notNull(),
  openedBy: text("opened_by").$type<Party>().notNull(),
  openedFrom: text("opened_from").$type<Disputable>().notNull(),
  openedAt: timestampColumn("opened_at").notNull(),
  outcome: text("outcome").$type<DisputeOutcome>(),
  refundAmount: bigintColumn("refund_amount"),
  ruledBy: bigintColumn("ruled_by"),
  /** The administrator who took the case. */
  takenBy: bigintColumn("taken_by"),
  takenAt: timestampColumn("taken_at"),
  endedAt: timestampColumn("ended_at"),
});

/** The key pair that signs evidence bundles; the private key is stored encrypted. */
export const evidenceKeyTable = escrowSchema.table("evidence_key", {
  single: boolean("single").primaryKey().default(true),
  publicKey: text("public_key").notNull(),
  privateKey: bytea("private_key").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
});

export const disputeStatementsTable = escrowSchema.table("dispute_statements", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  disputeId: bigintColumn("dispute_id").notNull(),
  byRole: text("by_role").$type<Party | "admin">().notNull(),
  byUser: bigintColumn("by_user").notNull(),
  body: text("body").notNull(),
  at: timestampColumn("at").notNull(),
});

export const manualPaymentsTable = escrowSchema.table("hand_confirmations", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  /** Null once the proposal is discarded. */
  tradeId: bigintColumn("trade_id"),
  amount: bigintColumn("amount").notNull(),
  bankReference: text("bank_reference").notNull(),
  proposedBy: bigintColumn("proposed_by").notNull(),
  proposedAt: timestampColumn("proposed_at").notNull(),
  confirmedBy: bigintColumn("confirmed_by"),
  confirmedAt: timestampColumn("confirmed_at"),
  /** The trade of a discarded proposal. */
  discardedFrom: bigintColumn("aside_of"),
  discardedBy: bigintColumn("laid_aside_by"),
  discardedAt: timestampColumn("laid_aside_at"),
  /** Null if the proposer replaced the proposal with a correction. */
  discardReason: text("aside_reason"),
});

export const invoicingTable = escrowSchema.table("invoicing", {
  tradeId: bigintColumn("trade_id").primaryKey(),
  token: uuid("token").notNull(),
  until: timestampColumn("until").notNull(),
});

export const dayFiguresTable = escrowSchema.table("day_figures", {
  day: date("day", { mode: "string" }).primaryKey(),
  trades: integer("trades").notNull(),
  paid: integer("paid").notNull(),
  volume: bigintColumn("volume").notNull(),
  fees: bigintColumn("fees").notNull(),
  payouts: integer("payouts").notNull(),
  payoutSeconds: bigintColumn("payout_seconds").notNull(),
});

export type TradeRow = typeof tradesTable.$inferSelect;
export type DeadlineRow = typeof deadlinesTable.$inferSelect;
