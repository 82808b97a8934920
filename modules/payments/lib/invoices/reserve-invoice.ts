import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import type { Reference } from "../provider/provider-types.ts";
import { invoicesTable } from "../schema/provider.ts";

/** The QR's countdown. The provider is told no expiry: a late payment must reach us rather than bounce at a bank. */
export const QR_MS = 10 * 60_000;

/**
 * Reserves our row for a new invoice of whole tugrik, before anything is asked of the provider. The caller holds the trade's
 * lock. What was live is superseded: ours ends here, the provider's is withdrawn by the next `cancelInvoices`.
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

/** Ends what is live of a reference, in our books only. Answers how many that were. */
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
