import { readSum } from "../qpay/amount.ts";
import type { ListedPayments } from "../qpay/payment.ts";
import type { PaymentRow } from "../qpay/reply-schemas.ts";
import { paymentKey } from "../received/payment-key.ts";
import { readProviderTime } from "./provider-time.ts";
import type { PaidRow, PaymentProblem } from "./provider-types.ts";

/** The rows of one invoice, sorted by their meaning. */
export type SortedRows = {
  rows: PaidRow[];
  problems: PaymentProblem[];
  /** How many attempts failed, and how many are pending. */
  failed: number;
  pending: number;
  /** The key of every payment that is listed, whatever its status. */
  listed: string[];
  /** False when a row could not be read, or when the provider's sum contradicts the rows: then the whole result is unknown. */
  readable: boolean;
};

/** Problems that do not show a payment of the invoice itself. */
const otherPaymentProblems: ReadonlySet<PaymentProblem["code"]> = new Set([
  "FOREIGN_INVOICE",
  "SUM_CONTRADICTS",
]);

/** True when a reply lists a payment of the invoice, of whatever status. */
export function listsPayment({
  rows,
  problems,
}: {
  rows: readonly unknown[];
  problems: readonly Pick<PaymentProblem, "code">[];
}): boolean {
  return rows.length > 0 || problems.some(({ code }) => !otherPaymentProblems.has(code));
}

/** The invoice that was checked: its id at the provider, and the amount it asks for, in ₮. */
export type AskedInvoice = { providerId: string; billed: number };

const IMPLAUSIBLE_TIMES = 10;

/** True for more than ten times what an invoice asks for: only administrators can decide that such a payment is real. Both amounts in ₮. */
export function isImplausible(amount: number, billed: number): boolean {
  return amount > IMPLAUSIBLE_TIMES * billed;
}

/**
 * Counts only PAID rows in whole ₮. Any other row that may be money becomes a problem for an administrator: a fraction, another currency, a
 * payment taken back, an unknown status, a row of another invoice than the `asked` one, an implausible amount. A row without a time gets
 * `now`. If the provider's own sum contradicts its rows, none of them counts.
 */
export function sortRows(
  listed: Pick<ListedPayments, "rows" | "unread"> & Partial<Pick<ListedPayments, "paidAmount">>,
  invoiceId: string,
  now: Date,
  asked?: AskedInvoice,
): SortedRows {
  const sorted: SortedRows = {
    rows: [],
    problems: [],
    failed: 0,
    pending: 0,
    listed: listed.rows.map(({ read }) => paymentKey(read.payment_id)),
    readable: listed.unread.length === 0,
  };
  for (const raw of listed.unread) {
    sorted.problems.push({
      code: "ODD_ROW",
      invoiceId,
      providerPaymentId: nameOf(raw),
      row: removeBankLegs(raw),
    });
  }
  for (const { read, raw } of listed.rows) {
    const verdict = judgeRow(read, asked);
    if (verdict === "failed") sorted.failed++;
    else if (verdict === "pending") sorted.pending++;
    else if (typeof verdict === "number") sorted.rows.push(paidRow(read, verdict, invoiceId, now));
    else
      sorted.problems.push({
        code: verdict,
        invoiceId,
        providerPaymentId: read.payment_id,
        row: removeBankLegs(raw),
      });
  }
  return asked !== undefined && isSumContradicted(listed) ? distrustRows(sorted, invoiceId, listed) : sorted;
}

function judgeRow(
  row: PaymentRow,
  asked?: AskedInvoice,
): number | "failed" | "pending" | PaymentProblem["code"] {
  if (row.payment_status === "FAILED") return "failed";
  if (row.payment_status === "NEW") return "pending";
  if (["REFUNDED", "REFUND"].includes(row.payment_status)) return "PAYMENT_REVERSED";
  if (row.payment_status !== "PAID") return "UNKNOWN_STATUS";
  if (row.payment_currency !== "MNT") return "WRONG_CURRENCY";
  if (asked && row.object_id && paymentKey(row.object_id) !== paymentKey(asked.providerId)) {
    return "FOREIGN_INVOICE";
  }
  const sum = readSum(row.payment_amount);
  if (sum.kind === "fraction") return "FRACTIONAL_AMOUNT";
  if (sum.kind !== "whole" || sum.amount === 0) return "ODD_ROW";
  return asked && isImplausible(sum.amount, asked.billed) ? "IMPLAUSIBLE_AMOUNT" : sum.amount;
}

/** True if the provider names a sum that is not the sum of its PAID rows. Not compared if there are rows of an unknown kind. */
function isSumContradicted({
  rows,
  unread,
  paidAmount,
}: Partial<ListedPayments> & Pick<ListedPayments, "rows" | "unread">): boolean {
  if (paidAmount?.kind !== "whole" || unread.length > 0) return false;
  const plain = rows.every(({ read }) => ["PAID", "FAILED", "NEW"].includes(read.payment_status));
  const sums = rows
    .filter(({ read }) => read.payment_status === "PAID")
    .map(({ read }) => readSum(read.payment_amount));
  if (!plain || sums.some(({ kind }) => kind !== "whole")) return false;
  return (
    paidAmount.amount !== sums.reduce((total, sum) => total + (sum.kind === "whole" ? sum.amount : 0), 0)
  );
}

/** The sorted rows of a contradictory reply: nothing counts as paid, but the problems for an administrator stay. */
function distrustRows(
  sorted: SortedRows,
  invoiceId: string,
  { rows, paidAmount }: Partial<ListedPayments>,
): SortedRows {
  const told = { paid_amount: paidAmount, rows: rows?.map(({ raw }) => removeBankLegs(raw)) };
  const problem = {
    code: "SUM_CONTRADICTS" as const,
    invoiceId,
    providerPaymentId: `sum-${invoiceId}`,
    row: told,
  };
  return { ...sorted, rows: [], readable: false, failed: 0, problems: [...sorted.problems, problem] };
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

/** Removes the bank-transfer details of a row: they name people's accounts, which an administrator does not need here. */
function removeBankLegs(raw: unknown): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw ?? null;
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !/_transactions$/.test(key)));
}

/** Names a row without a readable id, so that it is reported once: by its own id, cut to 100 characters, or by a digest of the row. */
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
