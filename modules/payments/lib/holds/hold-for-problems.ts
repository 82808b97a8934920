import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "#db/client";
import type { KnownInvoice } from "../provider/known-invoices.ts";
import { readProviderTime } from "../provider/provider-time.ts";
import type { PaymentProblem } from "../provider/provider-types.ts";
import { listsPayment, type SortedRows } from "../provider/sort-paid-rows.ts";
import { paymentKey } from "../received/payment-key.ts";
import { paymentsTable } from "../schema/money.ts";
import { endOutdatedDecisions } from "./check-unreported-payments.ts";
import { type HoldFacts, type HoldReason, isClearedByProvider } from "./hold-reasons.ts";
import { openHoldReasons } from "./list-holds.ts";
import { invoiceOfProvider } from "./named-invoice.ts";
import {
  clearHolds,
  figuresOf,
  invoiceSubject,
  type NewHold,
  openHolds,
  paymentSubject,
} from "./open-holds.ts";

/** Holds the trade for each row that no rule can book. If a row names another invoice of Midman, holds that invoice's trade too. */
export async function holdForProblems(
  tx: Tx,
  mine: KnownInvoice,
  { problems }: SortedRows,
  at: Date,
): Promise<void> {
  const wanted: NewHold[] = [];
  for (const problem of problems) {
    const { facts, named } = await factsOf(tx, mine, problem);
    const { code: reason, providerPaymentId } = problem;
    const subject = reason === "SUM_CONTRADICTS" ? invoiceSubject(mine) : paymentSubject(providerPaymentId);
    const figures = figuresOf(facts.status, facts.amount, facts.currency);
    const hold = { reason, subject, figures };
    wanted.push({ ...hold, reference: mine.reference, facts });
    if (named === undefined) continue;
    // The other trade's hold shows the named invoice and what it asks for.
    const { invoiceId, billed } = named;
    const { paymentId: _, ...seen } = facts;
    const there = { ...seen, invoiceId, billed, otherReference: mine.reference };
    wanted.push({ ...hold, reference: named.reference, facts: there });
  }
  await openHolds(tx, wanted, at);
}

/** What an administrator sees of a row, and the other Midman invoice that the row names, if any. */
async function factsOf(
  tx: Tx,
  mine: KnownInvoice,
  { code, invoiceId, providerPaymentId, row }: PaymentProblem,
) {
  const shown = shownRowSchema.safeParse(row);
  const { payment_amount, payment_currency, payment_status, payment_date, payment_wallet, object_id } =
    shown.success ? shown.data : {};
  const named = code === "FOREIGN_INVOICE" && object_id ? await invoiceOfProvider(tx, object_id) : undefined;
  const booked = await findBookedPayment(tx, providerPaymentId);
  const facts: HoldFacts = {
    providerPaymentId,
    // The hold omits the invoice's id, so that nobody can book a row of another invoice for this trade.
    ...(code !== "FOREIGN_INVOICE" && { invoiceId }),
    billed: mine.billed,
    ...(payment_amount && { amount: payment_amount }),
    ...(payment_currency && { currency: payment_currency }),
    ...(payment_status && { status: payment_status }),
    ...(payment_date &&
      readProviderTime(payment_date) && { paidAt: readProviderTime(payment_date)?.toISOString() ?? "" }),
    ...(payment_wallet && { wallet: payment_wallet }),
    ...(object_id && { namesInvoice: object_id }),
    ...(named && { otherReference: named.reference }),
    ...(booked && { bookedAmount: booked.amount }),
    ...(booked?.reference === mine.reference && { paymentId: booked.id }),
    row: row ?? null,
  };
  return { facts, named };
}

const plainWordSchema = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);
const shownRowSchema = z.object({
  payment_amount: plainWordSchema,
  payment_currency: plainWordSchema,
  payment_status: plainWordSchema,
  payment_date: plainWordSchema,
  payment_wallet: plainWordSchema,
  object_id: plainWordSchema,
});

async function findBookedPayment(tx: Tx, providerPaymentId: string) {
  const [found] = await tx
    .select({ id: paymentsTable.id, amount: paymentsTable.amount, reference: paymentsTable.reference })
    .from(paymentsTable)
    .where(eq(paymentsTable.providerPaymentKey, paymentKey(providerPaymentId)));
  return found;
}

/**
 * Ends the holds that only waited for the provider's answer, and marks decisions about payments that the answer reports as paid as
 * outdated.
 */
export async function clearAnsweredHolds(
  tx: Tx,
  mine: KnownInvoice,
  { rows, problems, readable, listed }: SortedRows,
  at: Date,
): Promise<void> {
  const { reference } = mine;
  await endOutdatedDecisions(
    tx,
    reference,
    rows.map(({ providerPaymentId }) => providerPaymentId),
    at,
  );
  const open = (await openHoldReasons(tx, reference)).filter(isClearedByProvider);
  const over: Partial<Record<HoldReason, boolean>> = {
    CHECK_UNANSWERED: true,
    SUM_CONTRADICTS: readable,
    PAID_UNLISTED: listsPayment({ rows, problems }),
  };
  for (const reason of open.filter((one) => over[one])) {
    await clearHolds(tx, { reference, reason, subject: invoiceSubject(mine) }, at);
  }
  if (!open.includes("PAYMENT_ANNOUNCED")) return;
  for (const key of listed) {
    const subject = paymentSubject(key);
    await clearHolds(tx, { reference, reason: "PAYMENT_ANNOUNCED", subject }, at);
  }
}
