import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { provider } from "./qpay/client.ts";
import { getInvoice } from "./qpay/invoice.ts";
import { getPayment } from "./qpay/payment.ts";
import { invoices, providerInvoices } from "./schema.provider.ts";
import type { Reference } from "./types.ts";

/**
 * Recognises invoices whose creation reply was lost, once a payment of theirs was announced: the payment names the
 * provider's invoice, and that invoice must bear the number we sent. From then on it is asked about like any other.
 */
export async function recogniseLost(reference: Reference): Promise<void> {
  for (const { id, senderInvoiceNo, payment } of await announced(reference)) {
    const qpay = provider();
    if (qpay === null || payment === null) continue;
    const found = await getPayment(qpay, payment);
    if (!found.ok || !found.row.object_id) continue;
    const providerId = found.row.object_id;
    const invoice = await getInvoice(qpay, providerId);
    if (!invoice.ok || invoice.senderInvoiceNo !== senderInvoiceNo) continue;
    await db()
      .update(providerInvoices)
      .set({ state: "found", providerId })
      .where(and(eq(providerInvoices.id, id), isNull(providerInvoices.providerId)));
  }
}

function announced(reference: Reference) {
  return db()
    .select({
      id: providerInvoices.id,
      senderInvoiceNo: providerInvoices.senderInvoiceNo,
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
