import { and, eq, inArray, isNull, sql, sum } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { balancesTable, paymentsTable } from "../schema/money.ts";
import type { LedgerAccount } from "./ledger.ts";

/**
 * Makes the money verbs of one reference follow each other until `tx` ends. It stands between invoices and payments in
 * the lock order. Reads that decide come after it, in statements of their own: one that waited inside the same statement
 * would still see the state from before the wait.
 */
export async function lockReference(tx: Tx, reference: Reference): Promise<void> {
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`payments.reference:${reference}`}, 0))`,
  );
}

/** What an `escrow:*` or `suspense:*` account holds, in tugrik; 0 when nothing was ever posted to it. */
export async function balanceOf(exec: Executor, account: LedgerAccount): Promise<number> {
  const [row] = await exec
    .select({ balance: balancesTable.balance })
    .from(balancesTable)
    .where(eq(balancesTable.account, account));
  return row?.balance ?? 0;
}

/** What is held for a trade now, in tugrik. */
export function heldAmount(exec: Executor, reference: Reference): Promise<number> {
  return balanceOf(exec, `escrow:${reference}`);
}

/** What is here of payments of a trade that it is not owed, in tugrik. */
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

/** What the provider took back, or was found to be the money of a manual confirmation, was never received. */
const receivedPaymentCondition = and(isNull(paymentsTable.takenBackAt), isNull(paymentsTable.sameAs));

/** All that was booked for the trade itself and not undone, in tugrik; what went to suspense is not in it. */
export async function readReceivedAmount(exec: Executor, reference: Reference): Promise<number> {
  const [row] = await exec
    .select({ total: sum(paymentsTable.toEscrow) })
    .from(paymentsTable)
    .where(and(eq(paymentsTable.reference, reference), receivedPaymentCondition));
  return Number(row?.total ?? 0);
}

/** The same for many references at once; one that got nothing is not among them. */
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
