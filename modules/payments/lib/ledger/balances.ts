import { and, eq, inArray, isNull, sql, sum } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { balancesTable, paymentsTable } from "../schema/money.ts";
import type { LedgerAccount } from "./ledger.ts";

/**
 * Serializes the money operations of one reference until `tx` ends. In the lock order it comes between invoices and payments. Reads that a
 * decision depends on must follow in statements of their own: a read in the statement that waited would still see the state before the
 * wait.
 */
export async function lockReference(tx: Tx, reference: Reference): Promise<void> {
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`payments.reference:${reference}`}, 0))`,
  );
}

/** The balance of an `escrow:*` or `suspense:*` account in ₮; 0 if nothing was ever posted to it. */
export async function balanceOf(exec: Executor, account: LedgerAccount): Promise<number> {
  const [row] = await exec
    .select({ balance: balancesTable.balance })
    .from(balancesTable)
    .where(eq(balancesTable.account, account));
  return row?.balance ?? 0;
}

/** The amount now held in escrow for a trade, in ₮. */
export function heldAmount(exec: Executor, reference: Reference): Promise<number> {
  return balanceOf(exec, `escrow:${reference}`);
}

/** The amount now held in suspense from payments of a trade, in ₮. */
export async function readSuspenseAmount(exec: Executor, reference: Reference): Promise<number> {
  const [row] = await exec
    .select({ total: sum(balancesTable.balance) })
    .from(balancesTable)
    .innerJoin(paymentsTable, eq(balancesTable.account, sql`'suspense:' || ${paymentsTable.id}`))
    .where(eq(paymentsTable.reference, reference));
  return Number(row?.total ?? 0);
}

/** True while Midman holds money of a trade, in escrow or in suspense. */
export async function isMoneyHeld(exec: Executor, reference: Reference): Promise<boolean> {
  return (await heldAmount(exec, reference)) + (await readSuspenseAmount(exec, reference)) > 0;
}

/** Excludes a payment that the provider took back, or that proved to be the same money as a manual confirmation: it was never received. */
const receivedPaymentCondition = and(isNull(paymentsTable.takenBackAt), isNull(paymentsTable.sameAs));

/** The total booked to a trade's escrow and not undone, in ₮; without what went to suspense. */
export async function readReceivedAmount(exec: Executor, reference: Reference): Promise<number> {
  const [row] = await exec
    .select({ total: sum(paymentsTable.toEscrow) })
    .from(paymentsTable)
    .where(and(eq(paymentsTable.reference, reference), receivedPaymentCondition));
  return Number(row?.total ?? 0);
}

/** The same for several references; a reference without payments is absent. */
export async function readReceivedAmounts(
  exec: Executor,
  references: readonly Reference[],
): Promise<Map<Reference, number>> {
  if (references.length === 0) return new Map();
  const rows = await exec
    .select({ reference: paymentsTable.reference, total: sum(paymentsTable.toEscrow) })
    .from(paymentsTable)
    .where(and(inArray(paymentsTable.reference, [...references]), receivedPaymentCondition))
    .groupBy(paymentsTable.reference);
  return new Map(rows.map(({ reference, total }) => [reference, Number(total)]));
}
