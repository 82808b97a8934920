import { bigint, boolean, jsonb, pgSchema, timestamp } from "drizzle-orm/pg-core";
import type { Problem } from "../ledger/verify-ledger.ts";

// The mirror of db/migrations/0032_ledger_checks.sql, which holds the rules.

const schema = pgSchema("payments");
const whole = (name: string) => bigint(name, { mode: "number" }).notNull();

export const ledgerChecks = schema.table("ledger_checks", {
  at: timestamp("at", { withTimezone: true, mode: "date" }).primaryKey(),
  ok: boolean("ok").notNull(),
  received: whole("received"),
  held: whole("held"),
  suspense: whole("suspense"),
  paidOut: whole("paid_out"),
  fees: whole("fees"),
  refunded: whole("refunded"),
  journals: whole("journals"),
  entries: whole("entries"),
  payments: whole("payments"),
  payouts: whole("payouts"),
  problems: jsonb("problems").$type<Problem[]>(),
});
