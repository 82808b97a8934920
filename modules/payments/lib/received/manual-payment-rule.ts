import { inArray } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { PaidRow } from "../provider/provider-types.ts";
import type { Payment } from "../schema/money.ts";
import { invoicesTable } from "../schema/provider.ts";

/** When the invoices of these rows were created, by Midman's invoice id. */
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
 * True if a PAID row counts as the money of a manual confirmation of the same amount: its invoice was created and paid before the
 * confirmation was proposed, and while the trade was open. A later payment is another one.
 */
export function matchesManualPayment(
  manual: Pick<Payment, "amount" | "proposedAt" | "bookedAt">,
  row: PaidRow,
  issuedAt: Date | undefined,
  endedAt: Date | null,
): boolean {
  // Payments booked by an older version lack `proposedAt`. Their proposal was made before the booking.
  const proposedAt = manual.proposedAt ?? manual.bookedAt;
  if (manual.amount !== row.amount || row.paidAt > proposedAt) return false;
  if (issuedAt === undefined || issuedAt > proposedAt) return false;
  return endedAt === null || row.paidAt <= endedAt;
}
