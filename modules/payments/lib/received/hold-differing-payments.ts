import type { Tx } from "#db/client";
import { openHoldReasons } from "../holds/list-holds.ts";
import { clearHolds, figuresOf, type NewHold, openHolds, paymentSubject } from "../holds/open-holds.ts";
import type { PaidRow, Reference } from "../provider/provider-types.ts";
import type { Payment } from "../schema/money.ts";
import { paymentKey } from "./payment-key.ts";
import type { BookedPayment } from "./record-payment.ts";

/** The facts of a row that the back office shows. */
function factsOf({ providerPaymentId, invoiceId, amount, paidAt, wallet, payerBank }: PaidRow) {
  return {
    providerPaymentId,
    invoiceId,
    amount: String(amount),
    currency: "MNT",
    status: "PAID",
    paidAt: paidAt.toISOString(),
    ...(wallet && { wallet }),
    ...(payerBank && { payerBank }),
  };
}

/**
 * Holds the trade for rows whose payment is booked for another trade or with another amount: they are not booked again, and an
 * administrator must decide. A payment that is booked for another trade may belong to either, so both trades are held.
 */
export async function holdDifferingPayments(
  tx: Tx,
  reference: Reference,
  booked: readonly Payment[],
  differing: readonly PaidRow[],
  at: Date,
): Promise<void> {
  const wanted = differing.flatMap((row): NewHold[] => {
    const earlier = booked.find((one) => one.providerPaymentKey === paymentKey(row.providerPaymentId));
    const other = earlier !== undefined && earlier.reference !== reference ? earlier : undefined;
    const facts = { ...factsOf(row), ...(earlier && { bookedAmount: earlier.amount }) };
    const hold = { reason: "PAYMENT_DIFFERS" as const, subject: paymentSubject(row.providerPaymentId) };
    const here = {
      ...{ ...hold, reference, figures: String(row.amount) },
      facts: { ...facts, ...(other && { otherReference: other.reference }) },
    };
    // The other trade no longer has the money if its booking was undone, so it is not held.
    if (other === undefined || other.takenBackAt !== null) return [here];
    const { invoiceId: _, ...seen } = facts;
    const of = { ...seen, paymentId: other.id, otherReference: reference };
    const figures = figuresOf(row.amount, reference);
    return [here, { ...hold, reference: other.reference, figures, facts: of }];
  });
  await openHolds(tx, wanted, at);
}

/**
 * Holds a trade that got a payment of the same amount as a manual confirmation, if no rule matches the two: administrators decide whether
 * they are the same money.
 */
export async function holdSecondPayment(
  tx: Tx,
  { row, done, earlierPayment, at }: { row: PaidRow; done: BookedPayment; earlierPayment: Payment; at: Date },
): Promise<void> {
  const subject = paymentSubject(row.providerPaymentId);
  const facts = { ...factsOf(row), paymentId: done.paymentId, manualPaymentId: earlierPayment.id };
  const { reference } = earlierPayment;
  await openHolds(
    tx,
    [{ reference, reason: "SECOND_PAYMENT", subject, figures: String(row.amount), facts }],
    at,
  );
}

/** Ends the holds that existed only because these payments were not booked yet. */
export async function clearBookedHolds(
  tx: Tx,
  reference: Reference,
  rows: readonly PaidRow[],
  at: Date,
): Promise<void> {
  if (rows.length === 0 || (await openHoldReasons(tx, reference)).length === 0) return;
  for (const { providerPaymentId } of rows) {
    const of = { reference, subject: paymentSubject(providerPaymentId) };
    await clearHolds(tx, { ...of, reason: "PAYMENT_ANNOUNCED" }, at);
    await clearHolds(tx, { ...of, reason: "DIFFERENCE", causes: ["missing_here"] }, at);
  }
}
