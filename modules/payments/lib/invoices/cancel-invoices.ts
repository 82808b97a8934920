import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { invoiceSubject, openHolds } from "../holds/open-holds.ts";
import type { Reference } from "../provider/provider-types.ts";
import { listsPayment } from "../provider/sort-paid-rows.ts";
import { getProviderClient } from "../qpay/client.ts";
import { cancelInvoice } from "../qpay/invoice.ts";
import { invoicesTable, providerInvoicesTable, type Withdrawal } from "../schema/provider.ts";
import { endLiveInvoices } from "./reserve-invoice.ts";

/**
 * Results of withdrawing invoices at the provider. `paid`: the provider reports the money as already paid. `unknown`: it gave no clear
 * answer.
 */
export type WithdrawalCounts = { withdrawn: number; paid: number; unknown: number };

/**
 * Cancels the live invoice of a reference and withdraws it at the provider, together with every earlier invoice that is not withdrawn yet.
 * Called outside any transaction; safe to repeat. No result means "unpaid": the caller must check the invoices afterwards.
 */
export async function cancelInvoices(reference: Reference): Promise<WithdrawalCounts & { ended: number }> {
  const ended = await runInTransaction((tx) => endLiveInvoices(tx, reference, currentTime()));
  return { ended, ...(await withdrawEndedInvoices(reference)) };
}

/** Withdraws at the provider every invoice of a reference that Midman no longer offers. An unknown result is retried on the next call. */
export async function withdrawEndedInvoices(reference: Reference): Promise<WithdrawalCounts> {
  const result: WithdrawalCounts = { withdrawn: 0, paid: 0, unknown: 0 };
  const qpay = getProviderClient();
  for (const { id, providerId, invoiceId } of await findUnwithdrawnInvoices(reference)) {
    const reply = qpay && providerId !== null ? await cancelInvoice(qpay, providerId) : null;
    if (!reply?.ok) {
      result.unknown++;
      continue;
    }
    result[reply.outcome === "paid" ? "paid" : "withdrawn"]++;
    await recordWithdrawal(reference, id, invoiceId, reply.outcome);
  }
  return result;
}

/** Records the result of a withdrawal. If the provider calls the invoice paid, holds its trade until the payment is listed. */
async function recordWithdrawal(
  reference: Reference,
  id: number,
  invoiceId: string,
  outcome: Withdrawal,
): Promise<void> {
  await runInTransaction(async (tx) => {
    const [row] = await tx
      .update(providerInvoicesTable)
      .set({ withdrawal: outcome })
      .where(eq(providerInvoicesTable.id, id))
      .returning({ answer: providerInvoicesTable.answer });
    const { rows = [], problems = [] } = row?.answer ?? {};
    if (outcome !== "paid" || listsPayment({ rows, problems })) return;
    const hold = {
      reference,
      reason: "PAID_UNLISTED" as const,
      subject: invoiceSubject({ id }),
      facts: { invoiceId },
    };
    await openHolds(tx, [hold], currentTime());
  });
}

/** Cancelled invoices that are not withdrawn yet, and surplus provider invoices of an open or paid invoice, which were shown to nobody. */
async function findUnwithdrawnInvoices(
  reference: Reference,
): Promise<Array<{ id: number; providerId: string | null; invoiceId: string }>> {
  const known = await db()
    .select({
      id: providerInvoicesTable.id,
      providerId: providerInvoicesTable.providerId,
      invoiceId: providerInvoicesTable.invoiceId,
      state: providerInvoicesTable.state,
      ended: invoicesTable.state,
    })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(
      and(
        eq(invoicesTable.reference, reference),
        isNotNull(providerInvoicesTable.providerId),
        isNull(providerInvoicesTable.withdrawal),
        inArray(providerInvoicesTable.state, ["opened", "found"]),
      ),
    )
    .orderBy(providerInvoicesTable.id);
  return known.filter(({ state, ended }) => state === "found" || ended === "cancelled");
}
