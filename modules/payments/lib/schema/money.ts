import { sql } from "drizzle-orm";
import { bigint, boolean, jsonb, pgSchema, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Destination } from "../../forms.ts";

// The mirror of db/migrations/0005_payments.sql and what followed it, which hold the rules.

const schema = pgSchema("payments");
const id = (name: string) => bigint(name, { mode: "number" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export type PayoutKind = "payout" | "refund";
/** Where the money lies: the trade's escrow, or the suspense account of one payment (by our payment's id). */
export type PayoutSource = "escrow" | `suspense:${number}`;
export type PayoutState = "due" | "approved" | "sent" | "done" | "unknown" | "void";
export type JournalKind = "payment" | "payout" | "refund" | "settlement" | "correction";

export const payments = schema.table("payments", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  reference: id("reference").notNull(),
  providerPaymentId: text("provider_payment_id"),
  invoiceId: uuid("invoice_id"),
  amount: id("amount").notNull(),
  toEscrow: id("to_escrow").notNull(),
  toSuspense: id("to_suspense").notNull(),
  paidAt: at("paid_at").notNull(),
  bookedAt: at("booked_at").notNull(),
  wallet: text("wallet"),
  kind: text("kind"),
  payerBank: text("payer_bank"),
  handReference: text("hand_reference"),
  proposedBy: id("proposed_by"),
  confirmedBy: id("confirmed_by"),
  matchedAt: at("matched_at"),
  /** `paymentKey` of the provider's id: one for every form of it. */
  providerPaymentKey: text("provider_payment_key").generatedAlwaysAs(
    sql`payments.payment_key(provider_payment_id)`,
  ),
  /** When a manual confirmation was proposed. */
  proposedAt: at("proposed_at"),
  /** The manual confirmation that two administrators found to be the same money. */
  sameAs: id("same_as"),
  takenBackAt: at("taken_back_at"),
});

export const payouts = schema.table("payouts", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  reference: id("reference").notNull(),
  kind: text("kind").$type<PayoutKind>().notNull(),
  source: text("source").$type<PayoutSource>().notNull(),
  amount: id("amount").notNull(),
  fee: id("fee").notNull(),
  state: text("state").$type<PayoutState>().notNull().default("due"),
  recipientId: id("recipient_id"),
  destination: jsonb("destination").$type<Destination>(),
  /** The administrator who said where a refund goes, for its buyer could not. */
  namedBy: id("named_by"),
  namedAt: at("named_at"),
  namedReason: text("named_reason"),
  /** The owner replaced the account. */
  correctedAt: at("corrected_at"),
  dueAt: at("due_at").notNull(),
  createdAt: at("created_at").notNull(),
  /** The first of the two approvals that a corrected account takes. */
  firstApprovedBy: id("first_approved_by"),
  firstApprovedAt: at("first_approved_at"),
  approvedBy: id("approved_by"),
  approvedAt: at("approved_at"),
  fourEyes: boolean("four_eyes").notNull().default(false),
  /** Who makes the transfer at the bank. */
  claimedBy: id("claimed_by"),
  /** Whom the transfer was last taken over from. */
  takenOverFrom: id("taken_over_from"),
  claimedAt: at("claimed_at"),
  sentBy: id("sent_by"),
  sentAt: at("sent_at"),
  bankReference: text("bank_reference"),
  referenceMissing: boolean("reference_missing").notNull().default(false),
  /** Who says that they had already made the transfer that another took over, and by which bank number. */
  reportedBy: id("reported_by"),
  reportedAt: at("reported_at"),
  reportedReference: text("reported_reference"),
  doneBy: id("done_by"),
  doneAt: at("done_at"),
  unknownBy: id("unknown_by"),
  unknownAt: at("unknown_at"),
  voidedBy: id("voided_by"),
  voidedAt: at("voided_at"),
  reason: text("reason"),
  replaces: id("replaces"),
  erasedAt: at("erased_at"),
});

export const journals = schema.table("journals", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  event: text("event").notNull(),
  kind: text("kind").$type<JournalKind>().notNull(),
  reference: id("reference"),
  paymentId: id("payment_id"),
  payoutId: id("payout_id"),
  corrects: id("corrects"),
  at: at("at").notNull(),
});

export const entries = schema.table("entries", {
  journalId: id("journal_id").notNull(),
  account: text("account").notNull(),
  amount: id("amount").notNull(),
});

export const balances = schema.table("balances", {
  account: text("account").primaryKey(),
  balance: id("balance").notNull(),
});

export const halt = schema.table("halt", {
  onlyRow: boolean("only_row").primaryKey().default(true),
  halted: boolean("halted").notNull(),
  reason: text("reason"),
  changedBy: id("changed_by"),
  changedAt: at("changed_at"),
  /** Who proposes that money goes out again; another administrator confirms it. */
  resumeBy: id("resume_by"),
  resumeAt: at("resume_at"),
  resumeReason: text("resume_reason"),
});

/** One booked payment: how it came in and how it divides. */
export type Payment = typeof payments.$inferSelect;

/** Money on its way out: a payout or a refund, as it stands. `amount` goes to the person, `fee` stays with us. */
export type Payout = typeof payouts.$inferSelect;
