import { and, eq, sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { clearAnsweredHolds, holdForProblems } from "../holds/hold-for-problems.ts";
import { invoiceSubject, openHolds } from "../holds/open-holds.ts";
import {
  invoicesTable,
  type ProviderInvoiceRow,
  providerInvoicesTable,
  type StoredAnswer,
} from "../schema/provider.ts";
import type { KnownInvoice } from "./known-invoices.ts";
import type { SortedRows } from "./sort-paid-rows.ts";

/**
 * Stores a reply and ends the lease. A check whose lease expired stores nothing if a later check was answered, because that reply is at
 * least as recent. Each problem in a stored reply puts the trade on hold.
 */
export async function recordAnswer(mine: KnownInvoice, sorted: SortedRows, at: Date): Promise<void> {
  await runInTransaction(async (tx) => {
    await markPaid(tx, mine, sorted, at);
    const kept = await tx
      .update(providerInvoicesTable)
      .set({
        answer: toStoredAnswer(sorted),
        answeredAt: at,
        answeredAsk: mine.asks,
        endedAsk: sql`greatest(ended_ask, ${mine.asks})`,
        ...endLease(mine),
      })
      .where(and(eq(providerInvoicesTable.id, mine.id), sql`answered_ask < ${mine.asks}`))
      .returning({ id: providerInvoicesTable.id });
    if (kept.length === 0) return;
    await holdForProblems(tx, mine, sorted, at);
    await clearAnsweredHolds(tx, mine, sorted, at);
  });
}

/** Ends a check that got no reply, and keeps the last reply. Puts the trade on hold unless a later check was answered meanwhile. */
export async function recordNoAnswer(mine: KnownInvoice, at: Date): Promise<void> {
  await runInTransaction(async (tx) => {
    const { reference, invoiceId } = mine;
    const hold = {
      reference,
      reason: "CHECK_UNANSWERED" as const,
      subject: invoiceSubject(mine),
      facts: { invoiceId },
    };
    const [ended] = await tx
      .update(providerInvoicesTable)
      .set({ endedAsk: sql`greatest(ended_ask, ${mine.asks})`, ...endLease(mine) })
      .where(eq(providerInvoicesTable.id, mine.id))
      .returning({ answeredAsk: providerInvoicesTable.answeredAsk });
    if (ended !== undefined && ended.answeredAsk < mine.asks) await openHolds(tx, [hold], at);
  });
}

/** Ends the lease only while this check still holds it. */
function endLease({ leaseToken }: ProviderInvoiceRow) {
  const mine = sql`lease_token = ${leaseToken}::uuid`;
  return {
    leaseToken: sql`CASE WHEN ${mine} THEN NULL ELSE lease_token END`,
    leasedUntil: sql`CASE WHEN ${mine} THEN NULL ELSE leased_until END`,
  };
}

/** Marks Midman's invoice as paid if the PAID rows cover its amount, whatever its state was. */
async function markPaid(
  tx: Tx,
  { invoiceId }: ProviderInvoiceRow,
  { rows }: SortedRows,
  at: Date,
): Promise<void> {
  const sum = rows.reduce((total, { amount }) => total + amount, 0);
  if (sum === 0) return;
  const paid = await tx
    .update(invoicesTable)
    .set({ state: "paid", endedAt: at })
    .where(and(eq(invoicesTable.id, invoiceId), sql`state <> 'paid'`, sql`amount <= ${sum}`))
    .returning({ reference: invoicesTable.reference });
  for (const { reference } of paid) {
    const subject = { kind: "invoice", id: invoiceId };
    const payments = rows.map((row) => row.providerPaymentId);
    const data = { reference, sum, payments };
    await recordAuditEntry(tx, { by: { userId: null }, action: "invoice.paid", at, subject, data });
  }
}

function toStoredAnswer({ rows, problems, failed, pending, readable, listed }: SortedRows): StoredAnswer {
  return {
    rows: rows.map(({ invoiceId: _, paidAt, ...row }) => ({ ...row, paidAt: paidAt.toISOString() })),
    problems: problems.map(({ code, providerPaymentId, row }) => ({ code, providerPaymentId, row })),
    failed,
    pending,
    readable,
    listed,
  };
}
