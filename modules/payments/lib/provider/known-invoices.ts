import { and, eq, isNotNull, max } from "drizzle-orm";
import type { Executor } from "#db/client";
import { invoicesTable, type ProviderInvoiceRow, providerInvoicesTable } from "../schema/provider.ts";
import type { Reference } from "./provider-types.ts";

/** The provider's terms: without a reason (a callback, Verify, the end of a trade) an invoice is checked at most once a minute. */
export const ASK_EVERY_MS = 60_000;

/** An invoice at the provider, with its trade and the amount it asks for, in ₮ (`billed`). */
export type KnownInvoice = ProviderInvoiceRow & { reference: Reference; billed: number };

/** Every invoice of a reference that the provider is known to hold. */
export async function knownInvoices(exec: Executor, reference: Reference): Promise<KnownInvoice[]> {
  const found = await exec
    .select({ row: providerInvoicesTable, billed: invoicesTable.amount })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(and(eq(invoicesTable.reference, reference), isNotNull(providerInvoicesTable.providerId)))
    .orderBy(providerInvoicesTable.id);
  return found.map(({ row, billed }) => ({ ...row, reference, billed }));
}

/** When the provider was last asked about any invoice of a reference; null if it never was. */
export async function lastAskTime(exec: Executor, reference: Reference): Promise<Date | null> {
  const [found] = await exec
    .select({ at: max(providerInvoicesTable.askedAt) })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(eq(invoicesTable.reference, reference));
  return found?.at ?? null;
}

/** When the one-minute rule allows the next check of this invoice; null if it allows it now. */
export function nextAskTime({ askedAt }: ProviderInvoiceRow, now: Date): Date | null {
  if (askedAt === null) return null;
  const next = new Date(askedAt.getTime() + ASK_EVERY_MS);
  return next > now ? next : null;
}
