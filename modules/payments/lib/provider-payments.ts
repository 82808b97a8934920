import { sortRows } from "./paid-rows.ts";
import { noProvider, provider } from "./qpay/client.ts";
import { listPayments } from "./qpay/payment.ts";
import type { Failure } from "./qpay/wire.ts";
import type { AskProblem, PaidRow } from "./types.ts";

/** One payment as the provider lists it, by its own invoice id (our `invoiceId` is not known to it). */
export type ListedPayment = Omit<PaidRow, "invoiceId"> & { providerInvoiceId: string | null };

/**
 * Everything the provider says was paid to us between two moments, for the daily comparison with the ledger; `problems`
 * are rows that may be money but cannot be counted. Called outside any transaction.
 */
export async function providerPayments(
  from: Date,
  to: Date,
  now: Date,
): Promise<
  | { ok: true; rows: ListedPayment[]; problems: AskProblem[] }
  | { ok: false; code: "PROVIDER_UNAVAILABLE" | "PROVIDER_REFUSED" }
> {
  const qpay = provider();
  const listed = qpay === null ? noProvider : await listPayments(qpay, from, to);
  if (!listed.ok) return { ok: false, code: (listed satisfies Failure).code };
  const invoiceOf = new Map(listed.rows.map(({ read }) => [read.payment_id, read.object_id || null]));
  const { rows, problems } = sortRows(listed, "", now);
  return {
    ok: true,
    rows: rows.map(({ invoiceId: _, ...row }) => {
      return { ...row, providerInvoiceId: invoiceOf.get(row.providerPaymentId) ?? null };
    }),
    problems,
  };
}
