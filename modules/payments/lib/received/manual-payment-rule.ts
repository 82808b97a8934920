import { inArray } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { PaidRow } from "../provider/provider-types.ts";
import type { Payment } from "../schema/money.ts";
import { invoicesTable } from "../schema/provider.ts";

/** When the invoices of these rows were issued, by our id of them. */
export async function readIssueTimes(tx: Tx, rows: readonly PaidRow[]): Promise<Map<string, Date>> {
  if (rows.length === 0) return new Map();
  const ids = [...new Set(rows.map(({ invoiceId }) => invoiceId))];
  const found = await tx
    .select({ id: invoicesTable.id, createdAt: invoicesTable.createdAt })
    .from(invoicesTable)
    .where(inArray(invoicesTable.id, ids));
  return new Map(found.map(({ id, createdAt }) => [id, createdAt]));
}

/**
 * Whether a PAID row is by rule the money of a manual confirmation of the same sum (design §4 "A manual confirmation meets a provider's
 * row"): paid before it was proposed, on an invoice issued before that, while the trade was open. Any later payment is another one.
 */
export function matchesManualPayment(
  manual: Pick<Payment, "amount" | "proposedAt" | "bookedAt">,
  row: PaidRow,
  issuedAt: Date | undefined,
  endedAt: Date | null,
): boolean {
  // Those that an older version booked do not say when they were proposed; that was before they were booked.
  const proposedAt = manual.proposedAt ?? manual.bookedAt;
  if (manual.amount !== row.amount || row.paidAt > proposedAt) return false;
  if (issuedAt === undefined || issuedAt > proposedAt) return false;
  return endedAt === null || row.paidAt <= endedAt;
}
