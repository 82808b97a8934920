import { sql } from "drizzle-orm";
import { boolean, jsonb, pgSchema, text, uuid } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import type { Destination } from "../../forms.ts";

// Mirrors db/migrations/0005_payments.sql and 0008_claim_notes.sql, which hold the constraints.

const paymentsSchema = pgSchema("payments");

export type PayoutKind = "payout" | "refund";
/** Where the money is held: the trade's escrow, or the suspense account of one payment (by Midman's payment id). */
export type PayoutSource = "escrow" | `suspense:${number}`;
export type PayoutState = "due" | "approved" | "sent" | "done" | "unknown" | "void";
export type JournalKind = "payment" | "payout" | "refund" | "settlement" | "correction";

export const paymentsTable = paymentsSchema.table("payments", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  reference: bigintColumn("reference").notNull(),
  providerPaymentId: text("provider_payment_id"),
  invoiceId: uuid("invoice_id"),
  amount: bigintColumn("amount").notNull(),
  toEscrow: bigintColumn("to_escrow").notNull(),
  toSuspense: bigintColumn("to_suspense").notNull(),
  paidAt: timestampColumn("paid_at").notNull(),
  bookedAt: timestampColumn("booked_at").notNull(),
  wallet: text("wallet"),
  kind: text("kind"),
  payerBank: text("payer_bank"),
  handReference: text("hand_reference"),
  proposedBy: bigintColumn("proposed_by"),
  confirmedBy: bigintColumn("confirmed_by"),
  matchedAt: timestampColumn("matched_at"),
  /** `paymentKey` of the provider's id: the same for every form of the id. */
  providerPaymentKey: text("provider_payment_key").generatedAlwaysAs(
    sql`payments.payment_key(provider_payment_id)`,
  ),
  /** When a manual confirmation was proposed. */
  proposedAt: timestampColumn("proposed_at"),
  /** The manual confirmation that two administrators found to be the same money. */
  sameAs: bigintColumn("same_as"),
  takenBackAt: timestampColumn("taken_back_at"),
});

export const payoutsTable = paymentsSchema.table("payouts", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  reference: bigintColumn("reference").notNull(),
  kind: text("kind").$type<PayoutKind>().notNull(),
  source: text("source").$type<PayoutSource>().notNull(),
  amount: bigintColumn("amount").notNull(),
  fee: bigintColumn("fee").notNull(),
  state: text("state").$type<PayoutState>().notNull().default("due"),
  recipientId: bigintColumn("recipient_id"),
  destination: jsonb("destination").$type<Destination>(),
  /** The administrator who entered a refund's account because its buyer could not. */
  namedBy: bigintColumn("named_by"),
  namedAt: timestampColumn("named_at"),
  namedReason: text("named_reason"),
  /** When the owner replaced the account. */
  correctedAt: timestampColumn("corrected_at"),
  dueAt: timestampColumn("due_at").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
  /** The first of the two approvals that a corrected account needs. */
  firstApprovedBy: bigintColumn("first_approved_by"),
  firstApprovedAt: timestampColumn("first_approved_at"),
  approvedBy: bigintColumn("approved_by"),
  approvedAt: timestampColumn("approved_at"),
  fourEyes: boolean("four_eyes").notNull().default(false),
  /** The administrator who makes the transfer at the bank. */
  claimedBy: bigintColumn("claimed_by"),
  /** The administrator from whom the claim was last taken over. */
  takenOverFrom: bigintColumn("taken_over_from"),
  claimedAt: timestampColumn("claimed_at"),
  /** Why they claimed it, if they say so. */
  claimNote: text("claim_note"),
  sentBy: bigintColumn("sent_by"),
  sentAt: timestampColumn("sent_at"),
  bankReference: text("bank_reference"),
  referenceMissing: boolean("reference_missing").notNull().default(false),
  /** The administrator who reported having made the transfer before another took over its claim, and the bank reference they gave. */
  reportedBy: bigintColumn("reported_by"),
  reportedAt: timestampColumn("reported_at"),
  reportedReference: text("reported_reference"),
  doneBy: bigintColumn("done_by"),
  doneAt: timestampColumn("done_at"),
  unknownBy: bigintColumn("unknown_by"),
  unknownAt: timestampColumn("unknown_at"),
  voidedBy: bigintColumn("voided_by"),
  voidedAt: timestampColumn("voided_at"),
  reason: text("reason"),
  replaces: bigintColumn("replaces"),
  erasedAt: timestampColumn("erased_at"),
});

export const journalsTable = paymentsSchema.table("journals", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  event: text("event").notNull(),
  kind: text("kind").$type<JournalKind>().notNull(),
  reference: bigintColumn("reference"),
  paymentId: bigintColumn("payment_id"),
  payoutId: bigintColumn("payout_id"),
  corrects: bigintColumn("corrects"),
  at: timestampColumn("at").notNull(),
});

export const journalEntriesTable = paymentsSchema.table("entries", {
  journalId: bigintColumn("journal_id").notNull(),
  account: text("account").notNull(),
  amount: bigintColumn("amount").notNull(),
});

export const balancesTable = paymentsSchema.table("balances", {
  account: text("account").primaryKey(),
  balance: bigintColumn("balance").notNull(),
});

export const haltTable = paymentsSchema.table("halt", {
  onlyRow: boolean("only_row").primaryKey().default(true),
  halted: boolean("halted").notNull(),
  reason: text("reason"),
  changedBy: bigintColumn("changed_by"),
  changedAt: timestampColumn("changed_at"),
  /** The administrator who proposes to resume outgoing money; another one confirms it. */
  resumeBy: bigintColumn("resume_by"),
  resumeAt: timestampColumn("resume_at"),
  resumeReason: text("resume_reason"),
});

/** One booked payment: how it was paid, and how it is split between escrow and suspense. */
export type Payment = typeof paymentsTable.$inferSelect;

/** A payout or refund in its current state. `amount` goes to the recipient, Midman keeps `fee`. */
export type Payout = typeof payoutsTable.$inferSelect;
