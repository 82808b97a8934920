import type { HoldResolution } from "../../forms.ts";
import { isImplausible } from "../provider/sort-paid-rows.ts";
import { readSum } from "../qpay/amount.ts";

/** Why a trade is on hold (design §4 "A trade's hold"). */
export const holdReasons = [
  "WRONG_CURRENCY",
  "FRACTIONAL_AMOUNT",
  "ODD_ROW",
  "UNKNOWN_STATUS",
  "PAYMENT_REVERSED",
  /** A booked payment is no longer reported as paid: it failed, is pending, has another currency, or is not listed. */
  "PAYMENT_GONE",
  /** The provider lists a payment of another invoice under this one, or this one's under another. */
  "FOREIGN_INVOICE",
  /** More than ten times what the invoice asks for. */
  "IMPLAUSIBLE_AMOUNT",
  /** A payment that is booked for another trade or with another sum. */
  "PAYMENT_DIFFERS",
  /** `paid_amount` is not the sum of the PAID rows beside it. */
  "SUM_CONTRADICTS",
  /** The provider says that an invoice is paid and lists no payment of it. */
  "PAID_UNLISTED",
  /** A callback named a payment that the provider does not list. */
  "PAYMENT_ANNOUNCED",
  "CHECK_UNANSWERED",
  /** A payment of the same sum as an earlier manual confirmation: no rule can tell whether it is the same money. */
  "SECOND_PAYMENT",
  /** The daily comparison found the provider's list and the ledger to disagree. */
  "DIFFERENCE",
  "TRANSFER_IN_DOUBT",
  "FRAUD_REPORT",
] as const;
export type HoldReason = (typeof holdReasons)[number];

export type { HoldResolution };
/** How a hold ends: `cleared` by what the provider said later, the others by a person. */
export type HoldOutcome = "cleared" | HoldResolution;

/** Reasons that the provider's next answer may clear; the others wait for a person. */
const clearableReasons: ReadonlySet<HoldReason> = new Set([
  "SUM_CONTRADICTS",
  "PAID_UNLISTED",
  "PAYMENT_ANNOUNCED",
  "CHECK_UNANSWERED",
]);

/** True for a reason that ends by itself once the provider answers. */
export function isClearedByProvider(reason: HoldReason): boolean {
  return clearableReasons.has(reason);
}

/** True for a reason that only a step of the transfer it is about ends, and no resolution of the hold. */
export function endsWithItsRecord(reason: HoldReason): boolean {
  return reason === "TRANSFER_IN_DOUBT";
}

/** Reasons about a payment for which a person's decision no longer counts once the provider calls the payment paid again. */
export const paidPaymentReasons = [
  "PAYMENT_REVERSED",
  "PAYMENT_GONE",
  "UNKNOWN_STATUS",
  "WRONG_CURRENCY",
  "FRACTIONAL_AMOUNT",
  "ODD_ROW",
] as const satisfies readonly HoldReason[];

/** True for a reason in `paidPaymentReasons`. */
export function isPaidPaymentReason(reason: HoldReason): boolean {
  return (paidPaymentReasons as readonly HoldReason[]).includes(reason);
}

const takenBackCauses: ReadonlySet<string> = new Set(["refunded_there", "missing_there", "status", "amount"]);

/** True if the provider may have taken the money of a booked payment back, as its report or the daily comparison shows. */
export function mayPaymentBeTakenBack(reason: HoldReason, { cause, bookedAmount }: HoldFacts): boolean {
  if (reason === "DIFFERENCE") return cause !== undefined && takenBackCauses.has(cause);
  if (reason === "PAYMENT_REVERSED" || reason === "PAYMENT_GONE") return true;
  return bookedAmount !== undefined && (isPaidPaymentReason(reason) || reason === "PAYMENT_DIFFERS");
}

/**
 * The sum in whole tugrik that a hold's row can be booked with. Null if the row names none, or if the sum is implausible and the hold has another
 * reason: then nobody was asked whether the sum is real.
 */
export function findBookableAmount({
  reason,
  facts,
}: {
  reason: HoldReason;
  facts: HoldFacts;
}): number | null {
  const sum = readSum(facts.amount);
  if (sum.kind !== "whole" || sum.amount === 0) return null;
  if (reason === "IMPLAUSIBLE_AMOUNT") return sum.amount;
  return facts.billed === undefined || isImplausible(sum.amount, facts.billed) ? null : sum.amount;
}

/** Everything an administrator is shown of a hold. Amounts are whole tugrik but for `amount`, which is as the provider wrote it. */
export type HoldFacts = {
  providerPaymentId?: string;
  /** Our invoice, and the provider's id of the invoice that the row names. */
  invoiceId?: string;
  namesInvoice?: string;
  /** The trade that the named invoice belongs to, or the one under which the row was listed. */
  otherReference?: number;
  amount?: string;
  currency?: string;
  status?: string;
  paidAt?: string;
  payerBank?: string;
  wallet?: string;
  /** What the invoice asked for. */
  billed?: number;
  /** What is booked under the same payment. */
  bookedAmount?: number;
  /** Our booked payment, and the manual confirmation it may be the same money as. */
  paymentId?: number;
  manualPaymentId?: number;
  payoutId?: number;
  differenceId?: number;
  day?: string;
  cause?: string;
  note?: string;
  /** The row as the provider sent it, without its bank legs. */
  row?: unknown;
};
