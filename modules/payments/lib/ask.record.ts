import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client";
import { record } from "#modules/audit";
import type { Sorted } from "./paid-rows.ts";
import {
  invoices,
  type ProviderInvoiceRow,
  providerInvoices,
  providerProblems,
  type StoredAnswer,
} from "./schema.provider.ts";

/**
 * Keeps an answer and ends the lease. An ask whose lease ran out keeps nothing if a later one has answered: the later one
 * knows at least as much. Rows are never dropped from what a person must see: each problem becomes a task once.
 */
export async function recordAnswer(mine: ProviderInvoiceRow, sorted: Sorted, at: Date): Promise<void> {
  await transaction(async (tx) => {
    await markPaid(tx, mine, sorted, at);
    await tx
      .update(providerInvoices)
      .set({
        answer: stored(sorted),
        answeredAt: at,
        answeredAsk: mine.asks,
        endedAsk: sql`greatest(ended_ask, ${mine.asks})`,
        ...endLease(mine),
      })
      .where(and(eq(providerInvoices.id, mine.id), sql`answered_ask < ${mine.asks}`));
    await keepProblems(tx, sorted, at);
  });
}

/** Ends an ask that got no answer; the last answer stays what it was. */
export async function recordSilence(mine: ProviderInvoiceRow): Promise<void> {
  await transaction(async (tx) => {
    await tx
      .update(providerInvoices)
      .set({ endedAsk: sql`greatest(ended_ask, ${mine.asks})`, ...endLease(mine) })
      .where(eq(providerInvoices.id, mine.id));
  });
}

/** A lease that has passed to another is not ended. */
function endLease({ leaseToken }: ProviderInvoiceRow) {
  const mine = sql`lease_token = ${leaseToken}::uuid`;
  return {
    leaseToken: sql`CASE WHEN ${mine} THEN NULL ELSE lease_token END`,
    leasedUntil: sql`CASE WHEN ${mine} THEN NULL ELSE leased_until END`,
  };
}

/** PAID rows that cover it end our invoice, whatever we had thought of it. */
async function markPaid(
  tx: Tx,
  { invoiceId }: ProviderInvoiceRow,
  { rows }: Sorted,
  at: Date,
): Promise<void> {
  const sum = rows.reduce((total, { amount }) => total + amount, 0);
  if (sum === 0) return;
  const paid = await tx
    .update(invoices)
    .set({ state: "paid", endedAt: at })
    .where(and(eq(invoices.id, invoiceId), sql`state <> 'paid'`, sql`amount <= ${sum}`))
    .returning({ reference: invoices.reference });
  for (const { reference } of paid) {
    const subject = { kind: "invoice", id: invoiceId };
    const payments = rows.map((row) => row.providerPaymentId);
    const data = { reference, sum, payments };
    await record(tx, { by: { userId: null }, action: "invoice.paid", at, subject, data });
  }
}

async function keepProblems(tx: Tx, { problems }: Sorted, at: Date): Promise<void> {
  if (problems.length === 0) return;
  const fresh = await tx
    .insert(providerProblems)
    .values(problems.map((problem) => ({ ...problem, row: problem.row ?? {}, seenAt: at })))
    .onConflictDoNothing()
    .returning();
  await record(
    tx,
    fresh.map(({ id, code, invoiceId, providerPaymentId }) => ({
      by: { userId: null },
      action: "payment.problem",
      at,
      subject: { kind: "invoice", id: invoiceId },
      data: { problem: id, code, providerPaymentId },
    })),
  );
}

function stored({ rows, problems, failed, pending, readable }: Sorted): StoredAnswer {
  return {
    rows: rows.map(({ invoiceId: _, paidAt, ...row }) => ({ ...row, paidAt: paidAt.toISOString() })),
    problems: problems.map(({ code, providerPaymentId, row }) => ({ code, providerPaymentId, row })),
    failed,
    pending,
    readable,
  };
}
