import { date, integer, pgSchema, text } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";

// Mirrors db/migrations/0005_payments.sql, which holds the constraints.

const paymentsSchema = pgSchema("payments");

/** Why the provider's list and Midman's ledger differ about a payment. */
export type DifferenceCause =
  /** Paid at the provider, not booked by Midman. */
  | "missing_here"
  /** Booked by Midman, unknown to the provider. */
  | "missing_there"
  /** Confirmed by two administrators, and not listed by the provider since. */
  | "by_hand"
  | "amount"
  /** Booked by Midman; at the provider it is failed, pending, or has an unknown status. */
  | "status"
  | "refunded_there"
  /** It may be money, but no rule can book it: another currency, a fraction, an unknown status. */
  | "uncountable"
  /** The same invoice was paid a second time. */
  | "duplicate"
  /** Booked for one invoice, listed at the provider under another of Midman. */
  | "other_invoice";

export const reconciliationRunsTable = paymentsSchema.table("reconciliation_runs", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  day: date("day", { mode: "string" }).notNull(),
  begunAt: timestampColumn("begun_at").notNull(),
  begunBy: bigintColumn("begun_by"),
  failure: text("failure").$type<"PROVIDER_UNAVAILABLE" | "PROVIDER_REFUSED">(),
  thereCount: integer("there_count"),
  thereSum: bigintColumn("there_sum"),
  hereCount: integer("here_count"),
  hereSum: bigintColumn("here_sum"),
  found: integer("found"),
  opened: integer("opened"),
  vanished: integer("vanished"),
});

export const reconciliationTasksTable = paymentsSchema.table("reconciliation_tasks", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  day: date("day", { mode: "string" }).notNull(),
  cause: text("cause").$type<DifferenceCause>().notNull(),
  subject: text("subject").notNull(),
  figures: text("figures").notNull(),
  providerPaymentId: text("provider_payment_id"),
  paymentId: bigintColumn("payment_id"),
  reference: bigintColumn("reference"),
  thereAmount: bigintColumn("there_amount"),
  thereStatus: text("there_status"),
  hereAmount: bigintColumn("here_amount"),
  foundAt: timestampColumn("found_at").notNull(),
  seenAt: timestampColumn("seen_at").notNull(),
  state: text("state").$type<"open" | "resolved" | "vanished">().notNull().default("open"),
  closedAt: timestampColumn("closed_at"),
  resolvedBy: bigintColumn("resolved_by"),
  note: text("note"),
});

/** One comparison of a day, with the totals of both sides; the totals are null if the provider did not answer. */
export type ReconciliationRun = typeof reconciliationRunsTable.$inferSelect;

/** One difference: a task for an administrator until it is resolved or a later run finds it gone. */
export type Difference = typeof reconciliationTasksTable.$inferSelect;
