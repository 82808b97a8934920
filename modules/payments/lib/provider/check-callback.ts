import { and, eq, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { isUuid } from "../invoices/invoices.ts";
import { invoicesTable, providerInvoicesTable } from "../schema/provider.ts";
import { isSecret } from "./callback-secret.ts";
import type { Reference } from "./provider-types.ts";

/**
 * Authenticates a callback. Returns its reference, or null for a forged one, which is answered like an unknown invoice. A callback only
 * triggers a check of the invoices and moves no money. `paymentId` (`qpay_payment_id`) is stored for an invoice whose creation reply was
 * lost: it identifies that invoice.
 */
export async function checkCallback(
  invoiceId: string,
  secret: string,
  paymentId?: string | null,
): Promise<Reference | null> {
  if (!isUuid(invoiceId) || secret.length > 200) return null;
  const creations = await db()
    .select({
      id: providerInvoicesTable.id,
      hash: providerInvoicesTable.secretHash,
      providerId: providerInvoicesTable.providerId,
      reference: invoicesTable.reference,
    })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(eq(providerInvoicesTable.invoiceId, invoiceId));
  // Compares every hash, so that the duration does not reveal which creation the secret belongs to.
  const [creation] = creations.filter(({ hash }) => isSecret(secret, hash));
  if (creation === undefined) return null;
  if (creation.providerId === null && paymentId && /^[\w.:-]{1,64}$/.test(paymentId)) {
    await db()
      .update(providerInvoicesTable)
      .set({ announcedPayment: paymentId })
      .where(and(eq(providerInvoicesTable.id, creation.id), isNull(providerInvoicesTable.providerId)));
  }
  return creation.reference;
}
