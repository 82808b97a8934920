import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { invoiceSubject, openHolds } from "../holds/open-holds.ts";
import type { Reference } from "../provider/provider-types.ts";
import { listsPayment } from "../provider/sort-paid-rows.ts";
import { provider } from "../qpay/client.ts";
import { cancelInvoice } from "../qpay/invoice.ts";
import { invoices, providerInvoices, type Withdrawal } from "../schema/provider.ts";
import { endLive } from "./reserve-invoice.ts";

/** What came of withdrawing at the provider. `paid`: it said the money is already there. `unknown`: it did not say. */
export type Withdrawn = { withdrawn: number; paid: number; unknown: number };

/**
 * Ends what is live of a reference and withdraws it at the provider, with everything superseded that is not withdrawn yet.
 * Called outside any transaction; safe to repeat. No outcome means "unpaid": ask afterwards.
 */
export async function cancelInvoices(reference: Reference): Promise<Withdrawn & { ended: number }> {
  const ended = await transaction((tx) => endLive(tx, reference, now()));
  return { ended, ...(await withdrawEnded(reference)) };
}

/** Withdraws at the provider every invoice of a reference that we no longer offer. What stays unknown is tried next time. */
export async function withdrawEnded(reference: Reference): Promise<Withdrawn> {
  const result: Withdrawn = { withdrawn: 0, paid: 0, unknown: 0 };
  const qpay = provider();
  for (const { id, providerId, invoiceId } of await outstanding(reference)) {
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

/** An invoice that the provider calls paid holds its trade until the payment is listed (design §4 "A trade's hold"). */
async function recordWithdrawal(
  reference: Reference,
  id: number,
  invoiceId: string,
  outcome: Withdrawal,
): Promise<void> {
  await transaction(async (tx) => {
    const [row] = await tx
      .update(providerInvoices)
      .set({ withdrawal: outcome })
      .where(eq(providerInvoices.id, id))
      .returning({ answer: providerInvoices.answer });
    const { rows = [], problems = [] } = row?.answer ?? {};
    if (outcome !== "paid" || listsPayment({ rows, problems })) return;
    const hold = {
      reference,
      reason: "PAID_UNLISTED" as const,
      subject: invoiceSubject({ id }),
      facts: { invoiceId },
    };
    await openHolds(tx, [hold], now());
  });
}

/** Also second invoices at the provider behind one of ours that is open or paid: nobody was shown those. */
async function outstanding(
  reference: Reference,
): Promise<Array<{ id: number; providerId: string | null; invoiceId: string }>> {
  const known = await db()
    .select({
      id: providerInvoices.id,
      providerId: providerInvoices.providerId,
      invoiceId: providerInvoices.invoiceId,
      state: providerInvoices.state,
      ended: invoices.state,
    })
    .from(providerInvoices)
    .innerJoin(invoices, eq(invoices.id, providerInvoices.invoiceId))
    .where(
      and(
        eq(invoices.reference, reference),
        isNotNull(providerInvoices.providerId),
        isNull(providerInvoices.withdrawal),
        inArray(providerInvoices.state, ["opened", "found"]),
      ),
    )
    .orderBy(providerInvoices.id);
  return known.filter(({ state, ended }) => state === "found" || ended === "cancelled");
}
