import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { payouts } from "./schema.money.ts";
import { invoices, providerInvoices, providerProblems } from "./schema.provider.ts";
import type { Reference } from "./types.ts";

/**
 * At the end of retention: erases whose accounts the money of a reference went to, and what the provider said of its payers. Sums,
 * numbers and journals stay. The caller holds the reference and knows that none of its money is held or on its way (`stillToSend`),
 * and that nothing of it waits for a person (`providerProblemsOf`).
 */
export async function erasePersonal(tx: Tx, reference: Reference, at: Date): Promise<void> {
  const own = tx.select({ id: invoices.id }).from(invoices).where(eq(invoices.reference, reference));
  await tx.update(providerProblems).set({ row: {} }).where(inArray(providerProblems.invoiceId, own));
  await tx
    .update(providerInvoices)
    .set({ answer: sql`${providerInvoices.answer} || '{"problems": []}'` })
    .where(inArray(providerInvoices.invoiceId, own));
  await tx
    .update(payouts)
    .set({ destination: null, erasedAt: at })
    .where(and(eq(payouts.reference, reference), isNull(payouts.erasedAt)));
}
