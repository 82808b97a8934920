import { eq, inArray, sql, sum } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { Account } from "./ledger.ts";
import { balances, payments } from "./schema.money.ts";
import type { Reference } from "./types.ts";

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
export async function balanceOf(exec: Executor, account: Account): Promise<number> {
  const [row] = await exec
    .select({ balance: balances.balance })
    .from(balances)
    .where(eq(balances.account, account));
  return row?.balance ?? 0;
}

/** What is held for a trade now, in tugrik. */
export function held(exec: Executor, reference: Reference): Promise<number> {
  return balanceOf(exec, `escrow:${reference}`);
}

/** All that was ever booked for the trade itself, in tugrik; what went to suspense is not in it. */
export async function received(exec: Executor, reference: Reference): Promise<number> {
  const [row] = await exec
    .select({ total: sum(payments.toEscrow) })
    .from(payments)
    .where(eq(payments.reference, reference));
  return Number(row?.total ?? 0);
}

/** The same for many references at once; one that got nothing is not among them. */
export async function receivedFor(
  exec: Executor,
  references: readonly Reference[],
): Promise<Map<Reference, number>> {
  if (references.length === 0) return new Map();
  const rows = await exec
    .select({ reference: payments.reference, total: sum(payments.toEscrow) })
    .from(payments)
    .where(inArray(payments.reference, [...references]))
    .groupBy(payments.reference);
  return new Map(rows.map(({ reference, total }) => [reference, Number(total)]));
}
