import { sql } from "drizzle-orm";
import { bigint, boolean, jsonb, pgSchema, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Destination } from "../../forms.ts";

// The mirror of db/migrations/0005_payments.sql, which holds the rules.

const paymentsSchema = pgSchema("payments");
const bigintColumn = (name: string) => bigint(name, { mode: "number" });
const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export type PayoutKind = "payout" | "refund";
/** Where the money lies: the trade's escrow, or the suspense account of one payment (by our payment's id). */
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
  /** `paymentKey` of the provider's id: one for every form of it. */
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
  /** The administrator who said where a refund goes, for its buyer could not. */
  namedBy: bigintColumn("named_by"),
  namedAt: timestampColumn("named_at"),
  namedReason: text("named_reason"),
  /** The owner replaced the account. */
  correctedAt: timestampColumn("corrected_at"),
  dueAt: timestampColumn("due_at").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
  /** The first of the two approvals that a corrected account takes. */
  firstApprovedBy: bigintColumn("first_approved_by"),
  firstApprovedAt: timestampColumn("first_approved_at"),
  approvedBy: bigintColumn("approved_by"),
  approvedAt: timestampColumn("approved_at"),
  fourEyes: boolean("four_eyes").notNull().default(false),
  /** Who makes the transfer at the bank. */
  claimedBy: bigintColumn("claimed_by"),
  /** Whom the transfer was last taken over from. */
  takenOverFrom: bigintColumn("taken_over_from"),
  claimedAt: timestampColumn("claimed_at"),
  sentBy: bigintColumn("sent_by"),
  sentAt: timestampColumn("sent_at"),
  bankReference: text("bank_reference"),
  referenceMissing: boolean("reference_missing").notNull().default(false),
  /** Who says that they had already made the transfer that another took over, and by which bank number. */
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
  /** Who proposes that money goes out again; another administrator confirms it. */
  resumeBy: bigintColumn("resume_by"),
  resumeAt: timestampColumn("resume_at"),
  resumeReason: text("resume_reason"),
});

/** One booked payment: how it came in and how it divides. */
export type Payment = typeof paymentsTable.$inferSelect;

/** Money on its way out: a payout or a refund, as it stands. `amount` goes to the person, `fee` stays with us. */
export type Payout = typeof payoutsTable.$inferSelect;
