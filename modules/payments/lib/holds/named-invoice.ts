import { eq, type SQL, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { paymentKey } from "../received/payment-key.ts";
import { invoicesTable, providerInvoicesTable } from "../schema/provider.ts";

type NamedInvoice = { invoiceId: string; reference: Reference; billed: number };

/**
 * The invoice with this provider id in any of its forms (`paymentKey`), with its trade and its amount in ₮; undefined if the id belongs to
 * no invoice of Midman.
 */
export async function invoiceOfProvider(
  exec: Executor,
  providerId: string,
): Promise<NamedInvoice | undefined> {
  const same = await findInvoice(exec, eq(providerInvoicesTable.providerId, providerId));
  if (same !== undefined) return same;
  // Reads the whole table, because the key has no index. Runs only for an id in another form, or of no known invoice.
  const key = sql`payments.payment_key(${providerInvoicesTable.providerId}) = ${paymentKey(providerId)}`;
  return findInvoice(exec, key);
}

async function findInvoice(exec: Executor, condition: SQL): Promise<NamedInvoice | undefined> {
  const [found] = await exec
    .select({ invoiceId: invoicesTable.id, reference: invoicesTable.reference, billed: invoicesTable.amount })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(condition);
  return found;
}
