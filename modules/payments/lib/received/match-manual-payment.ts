import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import type { PaidRow } from "../provider/provider-types.ts";
import { type Payment, paymentsTable } from "../schema/money.ts";

/**
 * Records that a PAID row of the provider is the money of a manual confirmation (`manualPayment`), which the ledger already has. The caller holds
 * the reference's lock.
 */
export async function matchManualPayment(
  tx: Tx,
  input: { manualPayment: Payment; row: PaidRow; at: Date; by: AuditActor },
): Promise<void> {
  const { manualPayment, row, at, by } = input;
  await tx
    .update(paymentsTable)
    .set({
      providerPaymentId: row.providerPaymentId,
      invoiceId: row.invoiceId,
      matchedAt: at,
      paidAt: row.paidAt,
      wallet: row.wallet ?? null,
      kind: row.kind ?? null,
      payerBank: row.payerBank ?? null,
    })
    .where(eq(paymentsTable.id, manualPayment.id));
  const { reference, handReference } = manualPayment;
  const { amount, providerPaymentId } = row;
  await recordAuditEntry(tx, {
    by,
    action: "payment.matched",
    at,
    subject: { kind: "payment", id: manualPayment.id },
    data: { reference, amount, providerPaymentId, handReference },
  });
}
