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
 * Looks up each booked payment that is missing from a report about all invoices of its trade, while Midman holds money of the trade. Gets
 * the payment from the provider by its id:
 * - not paid, another amount or currency, or no answer: holds the trade (PAYMENT_GONE);
 * - paid, but for an invoice of another trade or of none: holds the trade, and the other trade too (FOREIGN_INVOICE);
 * - paid: ends such a hold.
 * A payment that the report lists as a problem (taken back, another amount or currency) is held for that problem and not looked up.
 */
export async function checkUnreportedPayments(
  reference: Reference,
  { rows, problems }: Pick<ProviderReport, "rows" | "problems">,
  at: Date,
): Promise<void> {
  // If no money of the trade is held, a hold stops nothing. The nightly reconciliation checks money that has left.
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

/**
 * The holds that the provider's answer about one booked payment calls for; none if the payment is paid, with its booked amount, for its own
 * trade.
 */
async function findPaymentHolds(one: Payment): Promise<NewHold[]> {
  const { id: paymentId, reference, providerPaymentId, amount: bookedAmount, invoiceId } = one;
  const qpay = getProviderClient();
  const reply =
    qpay === null || providerPaymentId === null ? null : await getPayment(qpay, providerPaymentId);
  const row = reply?.ok ? reply.row : undefined;
  const { payment_status: status, payment_amount: amount, object_id: names } = row ?? {};
  const otherCurrency = row?.payment_currency && row.payment_currency !== "MNT" ? row.payment_currency : null;
  const sum = readSum(amount);
  const isSum = otherCurrency === null && sum.kind === "whole" && sum.amount === bookedAmount;
  const isPaid = status === "PAID" && isSum;
  const named = names ? await invoiceOfProvider(db(), names) : undefined;
  const isForeign = Boolean(names) && named?.reference !== reference;
  if (isPaid && !isForeign) return [];
  const facts = {
    ...{ providerPaymentId: providerPaymentId ?? "", paymentId, bookedAmount },
    ...(invoiceId !== null && { invoiceId }),
    ...(status !== undefined && { status }),
    ...(amount != null && { amount: String(amount) }),
    ...(otherCurrency !== null && { currency: otherCurrency }),
  };
  const subject = paymentSubject(providerPaymentId ?? "");
  if (!isPaid) {
    const figures = figuresOf(status, facts.amount, ...(otherCurrency === null ? [] : [otherCurrency]));
    return [{ reference, reason: "PAYMENT_GONE", subject, figures, facts }];
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
 * Records that the provider reports these payments as paid: ends their PAYMENT_GONE holds, and marks administrators' decisions about
 * earlier reports as outdated, so that the next report opens a hold again. Skips holds that were altered in the database
 * (`withoutAlteredHolds`).
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
