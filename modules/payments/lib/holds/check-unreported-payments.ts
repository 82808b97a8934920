import { and, eq, inArray, isNotNull, isNull, or } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { isMoneyHeld } from "../ledger/balances.ts";
import { withoutAlteredHolds } from "../proof/sealed-holds.ts";
import type { ProviderReport, Reference } from "../provider/provider-types.ts";
import { readSum } from "../qpay/amount.ts";
import { getProviderClient } from "../qpay/client.ts";
import { getPayment } from "../qpay/payment.ts";
import { paymentKey } from "../received/payment-key.ts";
import { type Payment, paymentsTable } from "../schema/money.ts";
import { paidPaymentReasons } from "./hold-reasons.ts";
import { invoiceOfProvider } from "./named-invoice.ts";
import { clearHolds, figuresOf, lockHolds, type NewHold, openHolds, paymentSubject } from "./open-holds.ts";
import { recordHold } from "./record-hold.ts";
import { holdsTable } from "./schema.ts";

/**
 * Asks the provider, by its id, about each booked payment that an answer about all invoices of a trade does not mention, while any money of
 * the trade is here (design §4 "Money taken back"). One that the provider does not call paid, or says nothing of, puts the trade on hold
 * (PAYMENT_GONE); one that it calls paid by an invoice that is none of the trade's puts on hold that invoice's trade too (FOREIGN_INVOICE); one
 * that it calls paid otherwise ends such a hold. A payment that the answer names otherwise (taken back, another sum or currency)
 * is left to the hold for that.
 */
export async function checkUnreportedPayments(
  reference: Reference,
  { rows, problems }: Pick<ProviderReport, "rows" | "problems">,
  at: Date,
): Promise<void> {
  // What has left is compared each night; nothing is to be stopped any more.
  if (!(await isMoneyHeld(db(), reference))) return;
  const named = new Set([...rows, ...problems].map((one) => paymentKey(one.providerPaymentId)));
  const booked = await db()
    .select()
    .from(paymentsTable)
    .where(
      and(
        eq(paymentsTable.reference, reference),
        isNotNull(paymentsTable.providerPaymentKey),
        isNull(paymentsTable.takenBackAt),
        isNull(paymentsTable.sameAs),
      ),
    );
  const missing = booked.filter(({ providerPaymentKey }) => !named.has(providerPaymentKey ?? ""));
  if (missing.length === 0) return;
  const gone: NewHold[] = [];
  const paid: string[] = [];
  for (const one of missing) {
    const found = await findPaymentHolds(one);
    if (found.length === 0) paid.push(one.providerPaymentId ?? "");
    else gone.push(...found);
  }
  await runInTransaction(async (tx) => {
    await openHolds(tx, gone, at);
    await endOutdatedDecisions(tx, reference, paid, at);
  });
}

/** What the provider says of one payment in the place of its having been paid for its trade; nothing where it says that, with its sum. */
async function findPaymentHolds(one: Payment): Promise<NewHold[]> {
  const { id: paymentId, reference, providerPaymentId, amount: bookedAmount, invoiceId } = one;
  const qpay = getProviderClient();
  const reply =
    qpay === null || providerPaymentId === null ? null : await getPayment(qpay, providerPaymentId);
  const { payment_status: status, payment_amount: amount, object_id: names } = reply?.ok ? reply.row : {};
  const sum = readSum(amount);
  const isPaid = status === "PAID" && sum.kind === "whole" && sum.amount === bookedAmount;
  const named = names ? await invoiceOfProvider(db(), names) : undefined;
  const isForeign = Boolean(names) && named?.reference !== reference;
  if (isPaid && !isForeign) return [];
  const facts = {
    ...{ providerPaymentId: providerPaymentId ?? "", paymentId, bookedAmount },
    ...(invoiceId !== null && { invoiceId }),
    ...(status !== undefined && { status }),
    ...(amount != null && { amount: String(amount) }),
  };
  const subject = paymentSubject(providerPaymentId ?? "");
  if (!isPaid) {
    return [{ reference, reason: "PAYMENT_GONE", subject, figures: figuresOf(status, facts.amount), facts }];
  }
  const hold = {
    ...{ reason: "FOREIGN_INVOICE" as const, subject },
    figures: figuresOf(status, facts.amount, names),
  };
  const here = {
    ...{ ...facts, namesInvoice: names ?? "" },
    ...(named && { otherReference: named.reference }),
  };
  if (named === undefined) return [{ ...hold, reference, facts: here }];
  const { paymentId: _, ...seen } = here;
  const there = {
    ...seen,
    ...{ invoiceId: named.invoiceId, billed: named.billed, otherReference: reference },
  };
  return [
    { ...hold, reference, facts: here },
    { ...hold, reference: named.reference, facts: there },
  ];
}

/**
 * The provider calls these payments paid: none of them is gone any more, and what people decided about an earlier report says nothing of
 * the next one. What was altered beside the log stays as it is (`withoutAlteredHolds`).
 */
export async function endOutdatedDecisions(
  tx: Tx,
  reference: Reference,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  if (ids.length === 0) return;
  const reported = await lockHolds(tx, [
    eq(holdsTable.reference, reference),
    inArray(holdsTable.subject, ids.map(paymentSubject)),
    inArray(holdsTable.reason, [...paidPaymentReasons]),
    isNull(holdsTable.outdatedAt),
    or(isNull(holdsTable.closedAt), isNotNull(holdsTable.closedBy)),
  ]);
  const unaltered = await withoutAlteredHolds(tx, reported);
  if (unaltered.length === 0) return;
  const outdated = await tx
    .update(holdsTable)
    .set({ outdatedAt: at })
    .where(inArray(holdsTable.id, unaltered))
    .returning({
      id: holdsTable.id,
      reference: holdsTable.reference,
      reason: holdsTable.reason,
      subject: holdsTable.subject,
    });
  for (const one of outdated) await recordHold(tx, one, "updated", { by: { userId: null }, at });
  for (const { subject } of outdated.filter(({ reason }) => reason === "PAYMENT_GONE")) {
    await clearHolds(tx, { reference, reason: "PAYMENT_GONE", subject }, at);
  }
}
