import { paymentKey } from "../received/payment-key.ts";
import { readSum, type Sum } from "./amount.ts";
import type { Qpay } from "./client.ts";
import { type CallFailure, unknownOutcome } from "./http-exchange.ts";
import { type PaymentRow, paymentPageSchema, paymentRowSchema } from "./reply-schemas.ts";

/**
 * Listed payments: each row as parsed, beside the raw row. `unread` are rows that could not be parsed, or that describe one payment in two
 * different ways. `paidAmount` is the provider's own total of all rows.
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
 * Lists every payment of one invoice, all pages, within `budgetMs`. A reply that does not parse, or pages that do not add up to the
 * provider's count, are an unknown outcome: never "unpaid".
 */
export function checkInvoice(
  qpay: Qpay,
  providerId: string,
  budgetMs = 25_000,
): Promise<ListedPayments | CallFailure> {
  return readAllPages(qpay, "/payment/check", { object_type: "INVOICE", object_id: providerId }, budgetMs);
}

/** Lists every payment to the merchant in a span of time, all pages, for the daily reconciliation. */
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

/** Gets one payment by its id; `object_id` is the id of the invoice it paid. */
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
    // A full page may be followed by another, whatever `count` means here; a short page is the last once all rows are seen.
    if (rows.length < PAGE && seen >= expected)
      return requireListedPayments(byKey, unread, readSum(paid_amount));
    if (rows.length === 0) return unknownOutcome("rows are missing");
  }
  return unknownOutcome("too many pages");
}

/** True if two rows describe a payment alike; its id may have come in two forms. */
function isSamePayment(a: PaymentRow, b: PaymentRow): boolean {
  const [one, other] = [a, b].map(({ payment_status, payment_amount, payment_currency, object_id }) =>
    JSON.stringify([payment_status, readSum(payment_amount), payment_currency, object_id ?? ""]),
  );
  return one === other;
}

/** A reply with a paid total but without rows counts as an unknown outcome. */
function requireListedPayments(
  byKey: Map<string, { read: PaymentRow; raw: unknown }>,
  unread: unknown[],
  paidAmount: Sum,
): ListedPayments | CallFailure {
  const paid = paidAmount.kind === "fraction" || (paidAmount.kind === "whole" && paidAmount.amount > 0);
  if (paid && byKey.size + unread.length === 0) return unknownOutcome("paid, yet no rows");
  return { ok: true, rows: [...byKey.values()], unread, paidAmount };
}
