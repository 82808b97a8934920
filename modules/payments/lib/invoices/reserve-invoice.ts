import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import type { Reference } from "../provider/provider-types.ts";
import { invoicesTable } from "../schema/provider.ts";

/** How long a QR code is offered, in ms. The provider gets no expiry: a late payment must reach Midman rather than fail at a bank. */
export const QR_MS = 10 * 60_000;

/**
 * Reserves Midman's row for a new invoice of `amount` ₮, before the provider is called. The caller holds the trade's lock. Cancels the live
 * invoice of the reference; the next `cancelInvoices` withdraws it at the provider.
 */
export async function reserveInvoice(
  tx: Tx,
  {
    reference,
    amount,
    description,
    at,
  }: { reference: Reference; amount: number; description: string; at: Date },
): Promise<{ invoiceId: string }> {
  await endLiveInvoices(tx, reference, at);
  const invoiceId = crypto.randomUUID();
  await tx.insert(invoicesTable).values({
    id: invoiceId,
    reference,
    amount,
    description: [...description].slice(0, 255).join("") || "Midman",
    createdAt: at,
    expiresAt: new Date(at.getTime() + QR_MS),
  });
  await recordAuditEntry(tx, {
    by: { userId: null },
    action: "invoice.reserved",
    at,
    subject: { kind: "invoice", id: invoiceId },
    data: { reference, amount },
  });
  return { invoiceId };
}

/** Cancels the live invoices of a reference in Midman's records only. Returns their number. */
export async function endLiveInvoices(tx: Tx, reference: Reference, at: Date): Promise<number> {
  const ended = await tx
    .update(invoicesTable)
    .set({ state: "cancelled", endedAt: at })
    .where(and(eq(invoicesTable.reference, reference), inArray(invoicesTable.state, ["reserved", "open"])))
    .returning({ id: invoicesTable.id });
  await recordAuditEntry(
    tx,
    ended.map(({ id }) => ({
      by: { userId: null },
      action: "invoice.cancelled",
      at,
      subject: { kind: "invoice", id },
      data: { reference },
    })),
  );
  return ended.length;
}
