import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { payoutsTable } from "../schema/money.ts";

/**
 * SQL conditions on a trade's row, for lists. `any`: the trade has a refund that is not void; `unsent`: it has one that is not sent yet;
 * `outstanding`: a transfer of its escrow is still to be made. Unsent refunds are few, so they are collected once and the trades are looked
 * up by them. All refunds are many, so they are looked up trade by trade; OFFSET 0 keeps the planner to that.
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
