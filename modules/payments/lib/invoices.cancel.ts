import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { endLive } from "./invoices.reserve.ts";
import { provider } from "./qpay/client.ts";
import { cancelInvoice } from "./qpay/invoice.ts";
import { invoices, providerInvoices } from "./schema.provider.ts";
import type { Reference } from "./types.ts";

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
  for (const { id, providerId } of await outstanding(reference)) {
    const reply = qpay && providerId !== null ? await cancelInvoice(qpay, providerId) : null;
    if (!reply?.ok) {
      result.unknown++;
      continue;
    }
    result[reply.outcome === "paid" ? "paid" : "withdrawn"]++;
    await db().update(providerInvoices).set({ withdrawal: reply.outcome }).where(eq(providerInvoices.id, id));
  }
  return result;
}

/** Also second invoices at the provider behind one of ours that is open or paid: nobody was shown those. */
async function outstanding(reference: Reference): Promise<Array<{ id: number; providerId: string | null }>> {
  const known = await db()
    .select({
      id: providerInvoices.id,
      providerId: providerInvoices.providerId,
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
