import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { payouts } from "../schema/money.ts";

/**
 * Conditions on a trade's row, for lists: it has a refund that counts, one that has not been sent yet, and any transfer of its own money
 * (`outstanding`) that is to be made. The unsent are
 * few, so they are gathered once, and the trades looked up by them; those that ever were are many, so they are looked up trade by
 * trade, which OFFSET 0 keeps the planner to.
 */
export function refundsOf(reference: SQLWrapper): { any: SQL; unsent: SQL; outstanding: SQL } {
  const refund = sql`FROM ${payouts} WHERE ${payouts.kind} = 'refund'`;
  return {
    any: sql`EXISTS (SELECT ${refund} AND ${payouts.reference} = ${reference} AND ${payouts.state} <> 'void' OFFSET 0)`,
    unsent: sql`${reference} = ANY (ARRAY(
      SELECT ${payouts.reference} ${refund} AND ${payouts.state} IN ('due', 'approved', 'unknown')))`,
    outstanding: sql`${reference} = ANY (ARRAY(
      SELECT ${payouts.reference} FROM ${payouts} WHERE ${payouts.source} = 'escrow' AND ${payouts.state} IN ('due', 'approved')))`,
  };
}
