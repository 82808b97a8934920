import { paymentKey } from "../received/payment-key.ts";
import { readSum, type Sum } from "./amount.ts";
import type { Qpay } from "./client.ts";
import { type CallFailure, unknownOutcome } from "./http-exchange.ts";
import { type PaymentRow, paymentPageSchema, paymentRowSchema } from "./reply-schemas.ts";

/**
 * Rows as read, each beside what was sent; `unread` are rows that could not be read at all, or that tell one payment in two ways.
 * `paidAmount` is what the provider says that all of them come to.
 */
export type ListedPayments = {
  ok: true;
  rows: Array<{ read: PaymentRow; raw: unknown }>;
  unread: unknown[];
  paidAmount: Sum;
};

const PAGE = 100;
const MAX_PAGES = 100;

/**
 * Every payment of one invoice, all pages, within `budgetMs`. A reply that does not parse, or pages that do not add up
 * to what the provider counts, are unknown: never "unpaid".
 */
export function checkInvoice(
  qpay: Qpay,
  providerId: string,
  budgetMs = 25_000,
): Promise<ListedPayments | CallFailure> {
  return readAllPages(qpay, "/payment/check", { object_type: "INVOICE", object_id: providerId }, budgetMs);
}

/** Every payment to the merchant in a span of time, all pages: what the daily reconciliation reads. */
export function listPayments(
  qpay: Qpay,
  from: Date,
  to: Date,
  budgetMs = 120_000,
): Promise<ListedPayments | CallFailure> {
  const span = { start_date: from.toISOString(), end_date: to.toISOString() };
  return readAllPages(
    qpay,
    "/payment/list",
    { object_type: "MERCHANT", object_id: qpay.invoiceCode, ...span },
    budgetMs,
  );
}

/** One payment by its id; `object_id` names the invoice it paid. */
export async function getPayment(
  qpay: Qpay,
  paymentId: string,
): Promise<{ ok: true; row: PaymentRow } | CallFailure> {
  const path = `/payment/${encodeURIComponent(paymentId)}`;
  const reply = await qpay.call({ method: "GET", path, repeatable: true });
  if (!reply.ok) return reply;
  const read = paymentRowSchema.safeParse(reply.body);
  return read.success ? { ok: true, row: read.data } : unknownOutcome("unreadable payment");
}

async function readAllPages(
  qpay: Qpay,
  path: string,
  object: object,
  budgetMs: number,
): Promise<ListedPayments | CallFailure> {
  const signal = AbortSignal.timeout(budgetMs);
  const byKey = new Map<string, { read: PaymentRow; raw: unknown }>();
  const unread: unknown[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const offset = { page_number: page, page_limit: PAGE };
    const reply = await qpay.call({
      method: "POST",
      path,
      body: { ...object, offset },
      repeatable: true,
      signal,
    });
    if (!reply.ok) return reply;
    const read = paymentPageSchema.safeParse(reply.body);
    if (!read.success) return unknownOutcome("unreadable check");
    const { rows, paid_amount } = read.data;
    for (const raw of rows) {
      const row = paymentRowSchema.safeParse(raw);
      const key = row.success ? paymentKey(row.data.payment_id) : "";
      const earlier = byKey.get(key);
      if (!row.success || (earlier !== undefined && !isSamePayment(earlier.read, row.data))) unread.push(raw);
      else byKey.set(key, earlier ?? { read: row.data, raw });
    }
    const seen = byKey.size + unread.length;
    const expected = read.data.count ?? 0;
    // A full page may have a follower whatever `count` means there; a short one ends it once all are seen.
    if (rows.length < PAGE && seen >= expected)
      return requireListedPayments(byKey, unread, readSum(paid_amount));
    if (rows.length === 0) return unknownOutcome("rows are missing");
  }
  return unknownOutcome("too many pages");
}

/** Whether two rows tell the same of a payment, whose id may have come in two forms. */
function isSamePayment(a: PaymentRow, b: PaymentRow): boolean {
  const [one, other] = [a, b].map(({ payment_status, payment_amount, payment_currency, object_id }) =>
    JSON.stringify([payment_status, readSum(payment_amount), payment_currency, object_id ?? ""]),
  );
  return one === other;
}

/** The provider says that something was paid and lists nothing: that is not an answer. */
function requireListedPayments(
  byKey: Map<string, { read: PaymentRow; raw: unknown }>,
  unread: unknown[],
  paidAmount: Sum,
): ListedPayments | CallFailure {
  const paid = paidAmount.kind === "fraction" || (paidAmount.kind === "whole" && paidAmount.amount > 0);
  if (paid && byKey.size + unread.length === 0) return unknownOutcome("paid, yet no rows");
  return { ok: true, rows: [...byKey.values()], unread, paidAmount };
}
