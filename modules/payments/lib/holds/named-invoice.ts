import { eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { invoices, providerInvoices } from "../schema/provider.ts";

/** Our invoice with this id of the provider, its trade and its amount in tugrik; undefined if the id belongs to no invoice of ours. */
export async function invoiceOfProvider(
  exec: Executor,
  providerId: string,
): Promise<{ invoiceId: string; reference: Reference; billed: number } | undefined> {
  const [found] = await exec
    .select({ invoiceId: invoices.id, reference: invoices.reference, billed: invoices.amount })
    .from(providerInvoices)
    .innerJoin(invoices, eq(invoices.id, providerInvoices.invoiceId))
    .where(eq(providerInvoices.providerId, providerId));
  return found;
}
