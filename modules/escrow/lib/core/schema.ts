import {
  bigint,
  boolean,
  date,
  integer,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea } from "#db/columns";
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

/** The mirror of db/migrations/0006_escrow.sql, where the rules are. */
const schema = pgSchema("escrow");
const big = (name: string) => bigint(name, { mode: "number" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const trades = schema.table("trades", {
  id: big("id").primaryKey().generatedAlwaysAsIdentity(),
  code: text("code").notNull(),
  roomId: big("room_id").notNull(),
  buyerId: big("buyer_id").notNull(),
  sellerId: big("seller_id").notNull(),
  amount: big("amount").notNull(),
  fee: big("fee").notNull(),
  feePayer: text("fee_payer").$type<FeePayer>().notNull(),
  feePolicy: text("fee_policy").$type<FeePolicy>().notNull(),
  gross: big("gross").notNull(),
  net: big("net").notNull(),
  /** With db/migrations/0048_goods_and_reports.sql. */
  goods: text("goods").$type<Goods>().notNull().default("other"),
  description: text("description"),
  status: text("status").$type<Status>().notNull(),
  invoiceId: uuid("invoice_id"),
  rolesLockedAt: at("roles_locked_at"),
  markedPaidAt: at("marked_paid_at"),
  confirmedAt: at("confirmed_at"),
  handedOverAt: at("handed_over_at"),
  handOverNote: text("hand_over_note"),
  receivedOtherwiseAt: at("received_otherwise_at"),
  buyerCompletedAt: at("buyer_completed_at"),
  sellerCompletedAt: at("seller_completed_at"),
  buyerCancelAt: at("buyer_cancel_at"),
  sellerCancelAt: at("seller_cancel_at"),
  disputedFrom: text("disputed_from").$type<Disputable>(),
  endReason: text("end_reason").$type<EndReason>(),
  endedAt: at("ended_at"),
  hiddenAt: at("hidden_at"),
  erasedAt: at("erased_at"),
  createdAt: at("created_at").notNull(),
  updatedAt: at("updated_at").notNull(),
  /** Since when both sides read that their payment is being checked. */
  onHoldSince: at("on_hold_since"),
});

export const steps = schema.table(
  "steps",
  {
    tradeId: big("trade_id").notNull(),
    step: text("step").$type<StepKey>().notNull(),
    completedAt: at("completed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tradeId, table.step] })],
);

export type DeadlineState = "running" | "paused" | "overdue" | "closed";

export const deadlines = schema.table("deadlines", {
  id: big("id").primaryKey().generatedAlwaysAsIdentity(),
  tradeId: big("trade_id").notNull(),
  kind: text("kind").$type<DeadlineKind>().notNull(),
  state: text("state").$type<DeadlineState>().notNull(),
  startedAt: at("started_at").notNull(),
  dueAt: at("due_at").notNull(),
  /** By how much it was put off because Midman itself was away. */
  extendedMs: big("extended_ms").notNull().default(0),
  reminded: integer("reminded").notNull().default(0),
  nextAt: at("next_at"),
  pausedAt: at("paused_at"),
  overdueAt: at("overdue_at"),
  closedAt: at("closed_at"),
});

export const disputes = schema.table("disputes", {
  id: big("id").primaryKey().generatedAlwaysAsIdentity(),
  tradeId: big("trade_id").notNull(),
  openedBy: text("opened_by").$type<Party>().notNull(),
  openedFrom: text("opened_from").$type<Disputable>().notNull(),
  openedAt: at("opened_at").notNull(),
  outcome: text("outcome").$type<DisputeOutcome>(),
  refundAmount: big("refund_amount"),
  ruledBy: big("ruled_by"),
  /** Whoever of the administrators took the case. */
  takenBy: big("taken_by"),
  takenAt: at("taken_at"),
  endedAt: at("ended_at"),
});

/** The pair of keys that bundles of evidence are signed by; the private half is sealed. */
export const evidenceKey = schema.table("evidence_key", {
  single: boolean("single").primaryKey().default(true),
  publicKey: text("public_key").notNull(),
  privateKey: bytea("private_key").notNull(),
  createdAt: at("created_at").notNull(),
});

export const disputeStatements = schema.table("dispute_statements", {
  id: big("id").primaryKey().generatedAlwaysAsIdentity(),
  disputeId: big("dispute_id").notNull(),
  byRole: text("by_role").$type<Party | "admin">().notNull(),
  byUser: big("by_user").notNull(),
  body: text("body").notNull(),
  at: at("at").notNull(),
});

/** With db/migrations/0029_proposals_aside.sql. */
export const handConfirmations = schema.table("hand_confirmations", {
  id: big("id").primaryKey().generatedAlwaysAsIdentity(),
  /** Null once it is laid aside. */
  tradeId: big("trade_id"),
  amount: big("amount").notNull(),
  bankReference: text("bank_reference").notNull(),
  proposedBy: big("proposed_by").notNull(),
  proposedAt: at("proposed_at").notNull(),
  confirmedBy: big("confirmed_by"),
  confirmedAt: at("confirmed_at"),
  /** The trade of one that is laid aside. */
  asideOf: big("aside_of"),
  laidAsideBy: big("laid_aside_by"),
  laidAsideAt: at("laid_aside_at"),
  /** Null where the proposer's own correction took its place. */
  asideReason: text("aside_reason"),
});

export const invoicing = schema.table("invoicing", {
  tradeId: big("trade_id").primaryKey(),
  token: uuid("token").notNull(),
  until: at("until").notNull(),
});

/** The mirror of db/migrations/0024_work_queue.sql. */
export const dayFigures = schema.table("day_figures", {
  day: date("day", { mode: "string" }).primaryKey(),
  trades: integer("trades").notNull(),
  paid: integer("paid").notNull(),
  volume: big("volume").notNull(),
  fees: big("fees").notNull(),
  payouts: integer("payouts").notNull(),
  payoutSeconds: big("payout_seconds").notNull(),
});

export type TradeRow = typeof trades.$inferSelect;
export type DeadlineRow = typeof deadlines.$inferSelect;
