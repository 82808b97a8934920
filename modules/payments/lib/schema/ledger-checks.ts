import { boolean, jsonb, pgSchema } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import type { LedgerProblem } from "../ledger/verify-ledger.ts";

// Mirrors db/migrations/0005_payments.sql, which holds the constraints.

const paymentsSchema = pgSchema("payments");
const numberColumn = (name: string) => bigintColumn(name).notNull();

export const ledgerChecksTable = paymentsSchema.table("ledger_checks", {
  at: timestampColumn("at").primaryKey(),
  ok: boolean("ok").notNull(),
  received: numberColumn("received"),
  held: numberColumn("held"),
  suspense: numberColumn("suspense"),
  paidOut: numberColumn("paid_out"),
  fees: numberColumn("fees"),
  refunded: numberColumn("refunded"),
  journals: numberColumn("journals"),
  entries: numberColumn("entries"),
  payments: numberColumn("payments"),
  payouts: numberColumn("payouts"),
  problems: jsonb("problems").$type<LedgerProblem[]>(),
});
