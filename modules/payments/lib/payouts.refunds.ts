import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { payouts } from "./schema.money.ts";

/** Conditions on a trade's row, for lists: it has a refund that counts, and one that has not been sent yet. */
export function refundsOf(reference: SQLWrapper): { any: SQL; unsent: SQL } {
  const refund = sql`SELECT FROM ${payouts} WHERE ${payouts.reference} = ${reference} AND ${payouts.kind} = 'refund'`;
  return {
    any: sql`EXISTS (${refund} AND ${payouts.state} <> 'void')`,
    unsent: sql`EXISTS (${refund} AND ${payouts.state} NOT IN ('void', 'sent', 'done'))`,
  };
}
