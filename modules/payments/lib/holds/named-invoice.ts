import { eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { invoicesTable, providerInvoicesTable } from "../schema/provider.ts";

/** Our invoice with this id of the provider, its trade and its amount in tugrik; undefined if the id belongs to no invoice of ours. */
export async function invoiceOfProvider(
  exec: Executor,
  providerId: string,
): Promise<{ invoiceId: string; reference: Reference; billed: number } | undefined> {
  const [found] = await exec
    .select({ invoiceId: invoicesTable.id, reference: invoicesTable.reference, billed: invoicesTable.amount })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(eq(providerInvoicesTable.providerId, providerId));
  return found;
}
