import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type Difference, type DifferenceCause, reconciliationTasksTable } from "../schema/reconciliation.ts";
import { clearHolds, figuresOf, openHolds, paymentSubject } from "./open-holds.ts";

/**
 * Causes that put a trade on hold. Two are left out: a second payment of one invoice, which a rule refunds from suspense, and a manual
 * confirmation that the provider does not list, which two administrators saw at the bank. Neither makes the trade's money doubtful.
 */
const holdingCauses: readonly DifferenceCause[] = [
  "missing_here",
  "missing_there",
  "amount",
  "status",
  "refunded_there",
  "uncountable",
  "other_invoice",
];

/** Opens a hold for each trade with an open difference, and ends the hold of a payment once no difference about it is open any more. */
export async function syncHoldsWithDifferences(
  tx: Tx,
  changed: readonly Difference[],
  at: Date,
): Promise<void> {
  const seen = new Set<string>();
  for (const { reference, providerPaymentId, subject: name } of changed) {
    if (reference === null) continue;
    const subject =
      providerPaymentId === null ? `difference:${name}`.slice(0, 200) : paymentSubject(providerPaymentId);
    if (seen.has(`${reference} ${subject}`)) continue;
    seen.add(`${reference} ${subject}`);
    const open = await findLatestOpenDifference(tx, reference, providerPaymentId);
    if (open === undefined) {
      await clearHolds(tx, { reference, reason: "DIFFERENCE", subject }, at);
      continue;
    }
    const { id, day, cause, thereStatus, thereAmount, hereAmount, paymentId } = open;
    const facts = {
      differenceId: id,
      day,
      cause,
      ...(providerPaymentId !== null && { providerPaymentId }),
      ...(thereStatus !== null && { status: thereStatus }),
      ...(thereAmount !== null && { amount: String(thereAmount), currency: "MNT" }),
      ...(hereAmount !== null && { bookedAmount: hereAmount }),
      ...(paymentId !== null && { paymentId }),
    };
    const figures = figuresOf(cause, thereStatus, thereAmount, hereAmount);
    await openHolds(tx, [{ reference, reason: "DIFFERENCE", subject, figures, facts }], at);
  }
}

/** The latest open difference of a trade about one payment; with a null id, the latest that is about no payment. */
async function findLatestOpenDifference(tx: Tx, reference: number, providerPaymentId: string | null) {
  const [open] = await tx
    .select()
    .from(reconciliationTasksTable)
    .where(
      and(
        eq(reconciliationTasksTable.reference, reference),
        eq(reconciliationTasksTable.state, "open"),
        inArray(reconciliationTasksTable.cause, [...holdingCauses]),
        providerPaymentId === null
          ? isNull(reconciliationTasksTable.providerPaymentId)
          : eq(reconciliationTasksTable.providerPaymentId, providerPaymentId),
      ),
    )
    .orderBy(desc(reconciliationTasksTable.id))
    .limit(1);
  return open;
}
