import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { payoutsTable } from "../schema/money.ts";

/**
 * Conditions on a trade's row, for lists: it has a refund that counts, one that has not been sent yet, and any transfer of its own money
 * (`outstanding`) that is to be made. The unsent are
 * few, so they are gathered once, and the trades looked up by them; those that ever were are many, so they are looked up trade by
 * trade, which OFFSET 0 keeps the planner to.
 */
export function refundConditions(reference: SQLWrapper): { any: SQL; unsent: SQL; outstanding: SQL } {
  const refund = sql`FROM ${payoutsTable} WHERE ${payoutsTable.kind} = 'refund'`;
  return {
    any: sql`EXISTS (SELECT ${refund} AND ${payoutsTable.reference} = ${reference} AND ${payoutsTable.state} <> 'void' OFFSET 0)`,
    unsent: sql`${reference} = ANY (ARRAY(
      SELECT ${payoutsTable.reference} ${refund} AND ${payoutsTable.state} IN ('due', 'approved', 'unknown')))`,
    outstanding: sql`${reference} = ANY (ARRAY(
      SELECT ${payoutsTable.reference} FROM ${payoutsTable} WHERE ${payoutsTable.source} = 'escrow' AND ${payoutsTable.state} IN ('due', 'approved')))`,
  };
}
