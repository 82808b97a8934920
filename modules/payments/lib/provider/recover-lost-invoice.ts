import { and, eq, gt, inArray, isNotNull, isNull, min, sql } from "drizzle-orm";
import { db } from "#db/client";
import { getProviderClient, type Qpay } from "../qpay/client.ts";
import { getInvoice } from "../qpay/invoice.ts";
import { getPayment, listPayments } from "../qpay/payment.ts";
import type { ProviderRecord } from "../reconciliation/provider-records.ts";
import { invoicesTable, providerInvoicesTable } from "../schema/provider.ts";
import type { Reference } from "./provider-types.ts";

/** For how many days after it was sent a creation without a reply is searched for among the merchant's payments. */
const LOST_DAYS = 3;
/** The most unknown invoices that one search looks up: each costs a call to the provider. */
const MOST_UNKNOWN = 20;

/**
 * Recovers invoices whose creation reply was lost: by the payment that a callback announced, which names the provider's invoice, and with
 * `search` also among all payments that the merchant received since. The provider's invoice must have the `sender_invoice_no` that Midman
 * sent. A recovered invoice is checked like any other.
 */
export async function recognizeLostInvoices(reference: Reference, now: Date, search: boolean): Promise<void> {
  const qpay = getProviderClient();
  if (qpay === null) return;
  for (const { payment } of await findAnnouncedPayments(reference)) {
    const found = payment === null ? null : await getPayment(qpay, payment);
    if (found?.ok && found.row.object_id) await recognizeInvoice(qpay, found.row.object_id);
  }
  const since = search ? await findFirstLostTime(reference, now) : null;
  if (since === null) return;
  const listed = await listPayments(qpay, since, now, 20_000);
  if (listed.ok)
    await recognizeUnknownInvoices(
      qpay,
      listed.rows.map(({ read }) => read.object_id ?? ""),
    );
}

/** The same for the rows of the daily reconciliation: a payment of an unknown invoice may belong to one whose creation reply was lost. */
export async function recognizeListedInvoices(rows: readonly ProviderRecord[]): Promise<void> {
  const qpay = getProviderClient();
  if (qpay === null) return;
  await recognizeUnknownInvoices(
    qpay,
    rows.filter(({ counts }) => counts).map(({ providerInvoiceId }) => providerInvoiceId ?? ""),
  );
}

async function recognizeUnknownInvoices(qpay: Qpay, named: readonly string[]): Promise<void> {
  const ids = [...new Set(named)].filter((id) => id !== "");
  if (ids.length === 0) return;
  const known = await db()
    .select({ id: providerInvoicesTable.providerId })
    .from(providerInvoicesTable)
    .where(inArray(providerInvoicesTable.providerId, ids));
  const mine = new Set(known.map(({ id }) => id));
  for (const id of ids.filter((id) => !mine.has(id)).slice(0, MOST_UNKNOWN)) await recognizeInvoice(qpay, id);
}

/** Looks up an invoice at the provider and stores its id in the creation with the same `sender_invoice_no`, if there is one. */
async function recognizeInvoice(qpay: Qpay, providerId: string): Promise<void> {
  const invoice = await getInvoice(qpay, providerId);
  if (!invoice.ok) return;
  await db()
    .update(providerInvoicesTable)
    .set({ state: "found", providerId })
    .where(
      and(
        eq(providerInvoicesTable.senderInvoiceNo, invoice.senderInvoiceNo),
        isNull(providerInvoicesTable.providerId),
        // An id that Midman already knows is not stored for a second invoice.
        sql`NOT EXISTS (SELECT FROM payments.provider_invoices o WHERE o.provider_id = ${providerId})`,
      ),
    );
}

/** When the first lost creation of a reference was sent, less one minute; null when there is none to search for. */
async function findFirstLostTime(reference: Reference, now: Date): Promise<Date | null> {
  const [row] = await db()
    .select({ at: min(providerInvoicesTable.sentAt) })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(
      and(
        eq(invoicesTable.reference, reference),
        isNull(providerInvoicesTable.providerId),
        eq(providerInvoicesTable.state, "lost"),
        gt(providerInvoicesTable.sentAt, new Date(now.getTime() - LOST_DAYS * 86_400_000)),
      ),
    );
  return row?.at == null ? null : new Date(row.at.getTime() - 60_000);
}

function findAnnouncedPayments(reference: Reference) {
  return db()
    .select({
      payment: providerInvoicesTable.announcedPayment,
    })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(
      and(
        eq(invoicesTable.reference, reference),
        isNull(providerInvoicesTable.providerId),
        isNotNull(providerInvoicesTable.announcedPayment),
      ),
    );
}
