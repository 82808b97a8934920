import { sortRows } from "./paid-rows.ts";
import { readSum } from "./qpay/amount.ts";
import { noProvider, provider } from "./qpay/client.ts";
import { getPayment, listPayments } from "./qpay/payment.ts";
import type { Failure } from "./qpay/wire.ts";
import { spanOf } from "./reconcile.day.ts";
import type { AskProblem } from "./types.ts";

/** One payment as the provider lists it. */
export type There = {
  paymentId: string;
  providerInvoiceId: string | null;
  /** PAID, or what else it says. */
  status: string;
  /** Whole tugrik; null where it is not that. */
  amount: number | null;
  /** PAID, whole, in MNT: money by rule. */
  counts: boolean;
  problem: AskProblem["code"] | null;
};

/** Everything the provider lists of a Mongolian day, in its order, failures too. */
export async function listedOf(day: string, at: Date): Promise<{ ok: true; rows: There[] } | Failure> {
  const { from, until } = spanOf(day);
  const qpay = provider();
  // The last millisecond: whether the provider's end is inside its span is unsure.
  const listed = qpay === null ? noProvider : await listPayments(qpay, from, new Date(until.getTime() - 1));
  if (!listed.ok) return listed;
  const { rows, problems } = sortRows(listed, "", at);
  const counted = new Map(rows.map((row) => [row.providerPaymentId, row.amount]));
  const odd = new Map(problems.map((problem) => [problem.providerPaymentId, problem.code]));
  const read = listed.rows.map(({ read }): There => {
    const sum = readSum(read.payment_amount);
    const amount = counted.get(read.payment_id);
    return {
      paymentId: read.payment_id,
      providerInvoiceId: read.object_id || null,
      status: read.payment_status,
      amount: amount ?? (sum.kind === "whole" ? sum.amount : null),
      counts: amount !== undefined,
      problem: odd.get(read.payment_id) ?? null,
    };
  });
  const known = new Set(read.map(({ paymentId }) => paymentId));
  const unread = problems
    .filter(({ code, providerPaymentId }) => code === "ODD_ROW" && !known.has(providerPaymentId))
    .map(({ code, providerPaymentId }): There => {
      const nothing = { providerInvoiceId: null, amount: null, counts: false };
      return { ...nothing, paymentId: providerPaymentId, status: "?", problem: code };
    });
  return { ok: true, rows: [...read, ...unread] };
}

/** Whether the provider knows a payment as PAID with this sum, on whatever day: then its list only dates it otherwise. */
export async function isPaidThere(
  paymentId: string,
  amount: number,
  at: Date,
): Promise<{ ok: true; paid: boolean } | Failure> {
  const qpay = provider();
  const found = qpay === null ? noProvider : await getPayment(qpay, paymentId);
  if (!found.ok) {
    return found.code === "PROVIDER_REFUSED" && found.status === 422 ? { ok: true, paid: false } : found;
  }
  const { rows } = sortRows({ rows: [{ read: found.row, raw: null }], unread: [] }, "", at);
  return { ok: true, paid: rows.some((row) => row.providerPaymentId === paymentId && row.amount === amount) };
}
