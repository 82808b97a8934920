import { and, asc, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type By, record } from "#modules/audit";
import { payments } from "./schema.money.ts";
import type { PaidRow, Reference } from "./types.ts";

/**
 * Gives the provider's PAID row to the oldest confirmation by hand of the same reference and amount that still waits for
 * one; true when it did. Then the money is already in the ledger. The caller holds the reference's lock.
 */
export async function matchHand(
  tx: Tx,
  input: { reference: Reference; row: PaidRow; at: Date; by: By },
): Promise<boolean> {
  const { reference, row, at, by } = input;
  const [hand] = await tx
    .select({ id: payments.id, handReference: payments.handReference })
    .from(payments)
    .where(
      and(
        eq(payments.reference, reference),
        eq(payments.amount, row.amount),
        isNull(payments.providerPaymentId),
      ),
    )
    .orderBy(asc(payments.id))
    .limit(1);
  if (hand === undefined) return false;
  await tx
    .update(payments)
    .set({
      providerPaymentId: row.providerPaymentId,
      invoiceId: row.invoiceId,
      matchedAt: at,
      paidAt: row.paidAt,
      wallet: row.wallet ?? null,
      kind: row.kind ?? null,
    })
    .where(eq(payments.id, hand.id));
  await record(tx, {
    by,
    action: "payment.matched",
    at,
    subject: { kind: "payment", id: hand.id },
    data: {
      reference,
      amount: row.amount,
      providerPaymentId: row.providerPaymentId,
      handReference: hand.handReference,
    },
  });
  return true;
}
