import { and, eq, isNotNull, notExists, sql } from "drizzle-orm";
import { isTrial } from "#config";
import { db } from "#db/client";
import { providerInvoicesTable } from "../schema/provider.ts";
import { sandboxInvoicesTable as played } from "./schema.ts";

/**
 * Why Midman must not begin on these books with the provider that is configured, in words for the operator; undefined when it may.
 * The sandbox among real money would let anybody press a trade paid, and a real bank would pay out what was only pressed. The one
 * place of ours that compares our invoices with the sandbox's own: it tells which of them are whose.
 */
export async function findProviderMismatch(): Promise<string | undefined> {
  const itsOwn = db()
    .select({ one: sql`1` })
    .from(played)
    .where(eq(sql`${played.id}::text`, providerInvoicesTable.providerId));
  const [found] = await db()
    .select({ one: sql`1` })
    .from(providerInvoicesTable)
    .where(
      and(isNotNull(providerInvoicesTable.providerId), isTrial() ? notExists(itsOwn) : sql`EXISTS ${itsOwn}`),
    )
    .limit(1);
  if (found === undefined) return undefined;
  return isTrial()
    ? "QPAY_BASE_URL and its three: are missing, and this database holds trades paid through QPay; the sandbox does not open among them"
    : "QPAY_BASE_URL: this database holds trades paid in the sandbox, with no real money; begin on an empty one (another DATABASE_URL or DATA_DIR)";
}
