import { daySpan } from "#format";
import type { PaymentProblem } from "../provider/provider-types.ts";
import { sortRows } from "../provider/sort-paid-rows.ts";
import { readSum } from "../qpay/amount.ts";
import { getProviderClient, noProvider } from "../qpay/client.ts";
import type { CallFailure } from "../qpay/http-exchange.ts";
import { getPayment, listPayments } from "../qpay/payment.ts";
import type { PaymentRow } from "../qpay/reply-schemas.ts";
import { paymentKey } from "../received/payment-key.ts";

/** One payment as the provider lists it. */
export type ProviderRecord = {
  paymentId: string;
  /** `paymentKey` of `paymentId`. */
  key: string;
  providerInvoiceId: string | null;
  /** PAID or another status; followed by the amount and currency if they are not whole ₮. */
  status: string;
  /** Whole ₮; null for any other amount. */
  amount: number | null;
  /** True for PAID, a whole amount and MNT: a rule can book it. */
  counts: boolean;
  problem: PaymentProblem["code"] | null;
};

/** Every payment that the provider lists for a Mongolian day, in its order, including failed ones. */
export async function listProviderRecords(
  day: string,
  at: Date,
): Promise<{ ok: true; rows: ProviderRecord[] } | CallFailure> {
  const { from, until } = daySpan(day);
  const qpay = getProviderClient();
  // The last millisecond of the day: it is not documented whether the provider includes the end of the span.
  const listed = qpay === null ? noProvider : await listPayments(qpay, from, new Date(until.getTime() - 1));
  if (!listed.ok) return listed;
  const { rows, problems } = sortRows(listed, "", at);
  const counted = new Map(rows.map((row) => [row.providerPaymentId, row.amount]));
  const odd = new Map(problems.map((problem) => [problem.providerPaymentId, problem.code]));
  const read = listed.rows.map(({ read }): ProviderRecord => {
    const sum = readSum(read.payment_amount);
    const amount = counted.get(read.payment_id);
    const tugrik = sum.kind === "whole" && read.payment_currency === "MNT";
    return {
      paymentId: read.payment_id,
      key: paymentKey(read.payment_id),
      providerInvoiceId: read.object_id || null,
      status: tugrik ? read.payment_status : statusInFull(read),
      amount: tugrik ? sum.amount : null,
      counts: amount !== undefined,
      problem: odd.get(read.payment_id) ?? null,
    };
  });
  const known = new Set(read.map(({ paymentId }) => paymentId));
  const unread = problems
    .filter(({ providerPaymentId }) => !known.has(providerPaymentId))
    .map(({ code, providerPaymentId }): ProviderRecord => {
      const nothing = { providerInvoiceId: null, amount: null, counts: false };
      const named = { paymentId: providerPaymentId, key: paymentKey(providerPaymentId) };
      return { ...nothing, ...named, status: "?", problem: code };
    });
  return { ok: true, rows: [...read, ...unread] };
}

/** The status with an amount that is not in whole ₮, as the provider writes it: `PAID 110000.00 USD`. */
function statusInFull({ payment_status, payment_amount, payment_currency }: PaymentRow): string {
  const amount = ["string", "number"].includes(typeof payment_amount)
    ? String(payment_amount).slice(0, 40)
    : "";
  return [payment_status, amount.trim(), payment_currency?.slice(0, 10)].filter(Boolean).join(" ");
}

/**
 * Gets one payment from the provider: true if it is PAID with this amount, on any day; then the provider's list only dates it differently.
 */
export async function isPaidThere(
  paymentId: string,
  amount: number,
  at: Date,
): Promise<{ ok: true; paid: boolean } | CallFailure> {
  const qpay = getProviderClient();
  const found = qpay === null ? noProvider : await getPayment(qpay, paymentId);
  if (!found.ok) {
    return found.code === "PROVIDER_REFUSED" && found.status === 422 ? { ok: true, paid: false } : found;
  }
  const { rows } = sortRows({ rows: [{ read: found.row, raw: null }], unread: [] }, "", at);
  return {
    ok: true,
    paid: rows.some(
      (row) => paymentKey(row.providerPaymentId) === paymentKey(paymentId) && row.amount === amount,
    ),
  };
}
