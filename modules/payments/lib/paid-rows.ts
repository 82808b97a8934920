import { readProviderTime } from "./provider-time.ts";
import { readSum } from "./qpay/amount.ts";
import type { Listed } from "./qpay/payment.ts";
import type { PaymentRow } from "./qpay/replies.ts";
import type { AskProblem, PaidRow } from "./types.ts";

/** The rows of one invoice, told apart. */
export type Sorted = {
  rows: PaidRow[];
  problems: AskProblem[];
  /** Attempts that failed, and attempts under way. */
  failed: number;
  pending: number;
  /** False when a row could not be read: the check as a whole is then unknown. */
  readable: boolean;
};

/**
 * Counts PAID rows in whole tugrik and nothing else. What may be money but is not that (a fraction, another currency, a
 * payment taken back, a status nobody knows) becomes a problem for a person; `now` dates a row that bears no time.
 */
export function sortRows(listed: Pick<Listed, "rows" | "unread">, invoiceId: string, now: Date): Sorted {
  const sorted: Sorted = {
    rows: [],
    problems: [],
    failed: 0,
    pending: 0,
    readable: listed.unread.length === 0,
  };
  for (const raw of listed.unread) {
    sorted.problems.push({ code: "ODD_ROW", invoiceId, providerPaymentId: nameOf(raw), row: bare(raw) });
  }
  for (const { read, raw } of listed.rows) {
    const verdict = judge(read);
    if (verdict === "failed") sorted.failed++;
    else if (verdict === "pending") sorted.pending++;
    else if (typeof verdict === "number") sorted.rows.push(paidRow(read, verdict, invoiceId, now));
    else
      sorted.problems.push({ code: verdict, invoiceId, providerPaymentId: read.payment_id, row: bare(raw) });
  }
  return sorted;
}

function judge(row: PaymentRow): number | "failed" | "pending" | AskProblem["code"] {
  if (row.payment_status === "FAILED") return "failed";
  if (row.payment_status === "NEW") return "pending";
  if (["REFUNDED", "REFUND"].includes(row.payment_status)) return "PAYMENT_REVERSED";
  if (row.payment_status !== "PAID") return "UNKNOWN_STATUS";
  if (row.payment_currency !== "MNT") return "WRONG_CURRENCY";
  const sum = readSum(row.payment_amount);
  if (sum.kind === "fraction") return "FRACTIONAL_AMOUNT";
  return sum.kind === "whole" && sum.amount > 0 ? sum.amount : "ODD_ROW";
}

function paidRow(row: PaymentRow, amount: number, invoiceId: string, now: Date): PaidRow {
  const kind = row.payment_type ?? row.transaction_type;
  const payerBank = row.p2p_transactions?.[0]?.transaction_bank_code?.trim().slice(0, 32);
  return {
    providerPaymentId: row.payment_id,
    invoiceId,
    amount,
    paidAt: readProviderTime(row.payment_date) ?? now,
    ...(row.payment_wallet && { wallet: row.payment_wallet }),
    ...(kind && { kind }),
    ...(payerBank && { payerBank }),
  };
}

/** A row without its bank legs: those name people's accounts, which a task does not need. */
function bare(raw: unknown): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw ?? null;
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !/_transactions$/.test(key)));
}

/** A name for a row that has no readable id: its own, cut, or a digest of the whole, so that it is reported once. */
function nameOf(raw: unknown): string {
  if (typeof raw === "object" && raw !== null && "payment_id" in raw) {
    const id = String(raw.payment_id).trim().slice(0, 100);
    if (id !== "") return `?${id}`;
  }
  return `?${new Bun.CryptoHasher("sha256")
    .update(JSON.stringify(raw) ?? "")
    .digest("hex")
    .slice(0, 32)}`;
}
