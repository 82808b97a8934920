import { and, eq, gt, inArray, isNotNull, isNull, min, sql } from "drizzle-orm";
import { db } from "#db/client";
import { provider, type Qpay } from "../qpay/client.ts";
import { getInvoice } from "../qpay/invoice.ts";
import { getPayment, listPayments } from "../qpay/payment.ts";
import type { There } from "../reconciliation/provider-records.ts";
import { invoices, providerInvoices } from "../schema/provider.ts";
import type { Reference } from "./provider-types.ts";

/** How long after it was sent a creation without a reply is looked for among the merchant's payments, in days. */
const LOST_DAYS = 3;
/** So many unknown invoices are looked at in one go: each is a call to the provider. */
const MOST_UNKNOWN = 20;

/**
 * Recognises invoices whose creation reply was lost: by the payment that a callback announced, which names the provider's invoice, and
 * where `search` is set among all that the merchant was paid since. The found invoice must bear the number we sent. From then on it is asked
 * about like any other.
 */
export async function recogniseLost(reference: Reference, now: Date, search: boolean): Promise<void> {
  const qpay = provider();
  if (qpay === null) return;
  for (const { payment } of await announced(reference)) {
    const found = payment === null ? null : await getPayment(qpay, payment);
    if (found?.ok && found.row.object_id) await recognise(qpay, found.row.object_id);
  }
  const since = search ? await firstLost(reference, now) : null;
  if (since === null) return;
  const listed = await listPayments(qpay, since, now, 20_000);
  if (listed.ok)
    await recogniseUnknown(
      qpay,
      listed.rows.map(({ read }) => read.object_id ?? ""),
    );
}

/** The same for what the daily comparison lists: a payment of an invoice that we know by no id may be one whose reply was lost. */
export async function recogniseListed(rows: readonly There[]): Promise<void> {
  const qpay = provider();
  if (qpay === null) return;
  await recogniseUnknown(
    qpay,
    rows.filter(({ counts }) => counts).map(({ providerInvoiceId }) => providerInvoiceId ?? ""),
  );
}

async function recogniseUnknown(qpay: Qpay, named: readonly string[]): Promise<void> {
  const ids = [...new Set(named)].filter((id) => id !== "");
  if (ids.length === 0) return;
  const known = await db()
    .select({ id: providerInvoices.providerId })
    .from(providerInvoices)
    .where(inArray(providerInvoices.providerId, ids));
  const mine = new Set(known.map(({ id }) => id));
  for (const id of ids.filter((id) => !mine.has(id)).slice(0, MOST_UNKNOWN)) await recognise(qpay, id);
}

/** Keeps the provider's id of the creation whose number an invoice bears. */
async function recognise(qpay: Qpay, providerId: string): Promise<void> {
  const invoice = await getInvoice(qpay, providerId);
  if (!invoice.ok) return;
  await db()
    .update(providerInvoices)
    .set({ state: "found", providerId })
    .where(
      and(
        eq(providerInvoices.senderInvoiceNo, invoice.senderInvoiceNo),
        isNull(providerInvoices.providerId),
        // An id that is ours already is not given to a second invoice.
        sql`NOT EXISTS (SELECT FROM payments.provider_invoices o WHERE o.provider_id = ${providerId})`,
      ),
    );
}

/** When the first of a reference's creations without a reply was sent; null when there is none to look for. */
async function firstLost(reference: Reference, now: Date): Promise<Date | null> {
  const [row] = await db()
    .select({ at: min(providerInvoices.sentAt) })
    .from(providerInvoices)
    .innerJoin(invoices, eq(invoices.id, providerInvoices.invoiceId))
    .where(
      and(
        eq(invoices.reference, reference),
        isNull(providerInvoices.providerId),
        eq(providerInvoices.state, "lost"),
        gt(providerInvoices.sentAt, new Date(now.getTime() - LOST_DAYS * 86_400_000)),
      ),
    );
  return row?.at == null ? null : new Date(row.at.getTime() - 60_000);
}

function announced(reference: Reference) {
  return db()
    .select({
      payment: providerInvoices.announcedPayment,
    })
    .from(providerInvoices)
    .innerJoin(invoices, eq(invoices.id, providerInvoices.invoiceId))
    .where(
      and(
        eq(invoices.reference, reference),
        isNull(providerInvoices.providerId),
        isNotNull(providerInvoices.announcedPayment),
      ),
    );
}
