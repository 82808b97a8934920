import { eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { invoices, providerInvoices } from "../schema/provider.ts";

/** Our invoice that the provider knows by an id, its trade, and what it asks for in tugrik; undefined where it is none of ours. */
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
