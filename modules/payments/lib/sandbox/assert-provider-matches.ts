import { and, eq, isNotNull, notExists, sql } from "drizzle-orm";
import { isTrial } from "#config";
import { db } from "#db/client";
import { providerInvoicesTable } from "../schema/provider.ts";
import { sandboxInvoicesTable as played } from "./schema.ts";

/**
 * Why Midman must not start on this database with the configured provider, in words for the operator; undefined if it may. With the sandbox
 * on a database of real money anybody could mark a trade as paid by pressing a button, and with a real provider on a sandbox database real
 * money would be paid out for it. This is the only code outside the sandbox that reads the sandbox's invoices, in order to tell which
 * provider made an invoice.
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
    ? "QPAY_BASE_URL and the three other QPAY_ settings: are missing, and this database holds trades paid through QPay; the sandbox cannot run on it"
    : "QPAY_BASE_URL: this database holds trades paid in the sandbox, with no real money; start with an empty one (another DATABASE_URL or DATA_DIR)";
}
