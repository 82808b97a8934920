import { and, eq, ne, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { payoutsTable } from "../schema/money.ts";

/** A bank reference as it is compared and stored: without surrounding spaces, in capitals. */
export function plainReference(text: string): string {
  return text.trim().toUpperCase();
}

/** True when the bank reference belongs to another payout. A lock serializes transactions that check the same reference. */
export async function bankReferenceTaken(tx: Tx, bankReference: string, id: number): Promise<boolean> {
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`payments.bank:${bankReference}`}, 0))`,
  );
  const other = and(eq(payoutsTable.bankReference, bankReference), ne(payoutsTable.id, id));
  return (await tx.$count(payoutsTable, other)) > 0;
}
