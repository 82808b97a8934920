import { bigint, date, integer, pgSchema, text, timestamp } from "drizzle-orm/pg-core";

// The mirror of db/migrations/0005_payments.sql, which holds the rules.

const paymentsSchema = pgSchema("payments");
const bigintColumn = (name: string) => bigint(name, { mode: "number" });
const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** Why the provider's list and our books do not agree about a payment. */
export type DifferenceCause =
  /** Paid there, not booked here. */
  | "missing_here"
  /** Booked here, not known there. */
  | "missing_there"
  /** Confirmed by two administrators, and not shown by the provider since. */
  | "by_hand"
  | "amount"
  /** Booked here; there it is failed, under way, or something nobody knows. */
  | "status"
  | "refunded_there"
  /** It may be money, and no rule can count it: another currency, a fraction, an unknown status. */
  | "uncountable"
  /** The same invoice paid a second time. */
  | "duplicate"
  /** Booked here for one invoice, listed there under another of ours. */
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

/** One comparison of a day, with the sums of both sides; all of them null when the provider did not answer. */
export type ReconciliationRun = typeof reconciliationRunsTable.$inferSelect;

/** One difference, a person's task until it is resolved or a later run finds it gone. */
export type Difference = typeof reconciliationTasksTable.$inferSelect;
