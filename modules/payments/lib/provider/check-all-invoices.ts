import { db } from "#db/client";
import { checkUnreportedPayments } from "../holds/check-unreported-payments.ts";
import { openHoldReasons } from "../holds/list-holds.ts";
import { isInvoiceBeingOpened } from "../invoices/open-invoice.ts";
import { paymentKey } from "../received/payment-key.ts";
import { type CheckedInvoice, checkInvoiceOnce } from "./check-invoice.ts";
import { knownInvoices } from "./known-invoices.ts";
import type { ProviderReport, Reference } from "./provider-types.ts";
import { recognizeLostInvoices } from "./recover-lost-invoice.ts";

/** How many invoices of one reference are checked at the same time. */
const AT_ONCE = 4;

/** Checks each of a reference's invoices at the provider, or uses its last reply, and combines the results. */
export async function checkAllInvoices(
  reference: Reference,
  now: Date,
  force: boolean,
): Promise<ProviderReport> {
  const opening = await isInvoiceBeingOpened(reference);
  await recognizeLostInvoices(reference, now, force);
  const targets = await knownInvoices(db(), reference);
  const asked: CheckedInvoice[] = [];
  for (let i = 0; i < targets.length; i += AT_ONCE) {
    const group = targets.slice(i, i + AT_ONCE);
    asked.push(...(await Promise.all(group.map((target) => checkInvoiceOnce(target, now, force)))));
  }
  const answer = combineReports(asked, opening || (await hasUnreviewedRows(reference, asked)));
  if (force && answer.complete) await checkUnreportedPayments(reference, answer, now);
  return answer;
}

/** True while an unreadable row waits for an administrator, or a contradictory sum for a reply without the contradiction. */
async function hasUnreviewedRows(reference: Reference, asked: CheckedInvoice[]): Promise<boolean> {
  if (!asked.some(({ unread }) => unread)) return false;
  const reasons = await openHoldReasons(db(), reference);
  return reasons.includes("ODD_ROW") || reasons.includes("SUM_CONTRADICTS");
}

function combineReports(asked: CheckedInvoice[], unknown: boolean): ProviderReport {
  const complete = !unknown && asked.every((one) => one.complete);
  const rows = asked.flatMap((one) => one.rows);
  const problems = asked.flatMap((one) => one.problems);
  const sum = (of: (one: CheckedInvoice) => number) => asked.reduce((total, one) => total + of(one), 0);
  const onlyFailures = sum((one) => one.failed) > 0 && sum((one) => one.pending) === 0;
  return {
    complete,
    rows: [...new Map(rows.map((row) => [paymentKey(row.providerPaymentId), row])).values()],
    failed: complete && onlyFailures && rows.length === 0 && problems.length === 0,
    asked: sum((one) => (one.reached ? 1 : 0)),
    problems,
    listed: asked.flatMap((one) => one.listed),
    asOf: earliestTime(asked.map((one) => one.asOf)),
    retryAt: latestTime(asked.map((one) => one.retryAt)),
  };
}

/** Null if any time is null: an invoice that was never answered has no time. */
function earliestTime(times: Array<Date | null>): Date | null {
  const present = times.filter((time) => time !== null);
  if (present.length === 0 || present.length < times.length) return null;
  return new Date(Math.min(...present.map((time) => time.getTime())));
}

function latestTime(times: Array<Date | null>): Date | null {
  const present = times.filter((time) => time !== null);
  return present.length === 0 ? null : new Date(Math.max(...present.map((time) => time.getTime())));
}
