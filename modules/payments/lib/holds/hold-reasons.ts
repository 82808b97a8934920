import type { HoldResolution } from "../../forms.ts";
import { isImplausible } from "../provider/sort-paid-rows.ts";
import { readSum } from "../qpay/amount.ts";

/** Why a trade is on hold; docs/money-states.md lists the cases. */
export const holdReasons = [
  "WRONG_CURRENCY",
  "FRACTIONAL_AMOUNT",
  "ODD_ROW",
  "UNKNOWN_STATUS",
  "PAYMENT_REVERSED",
  /** A booked payment is no longer reported as paid: it failed, is pending, has another currency, or is not listed. */
  "PAYMENT_GONE",
  /** The provider lists a payment of another invoice under this one, or a payment of this invoice under another. */
  "FOREIGN_INVOICE",
  /** More than ten times what the invoice asks for. */
  "IMPLAUSIBLE_AMOUNT",
  /** A payment that is already booked for another trade or with another amount. */
  "PAYMENT_DIFFERS",
  /** `paid_amount` is not the sum of the PAID rows in the same reply. */
  "SUM_CONTRADICTS",
  /** The provider reports an invoice as paid but lists no payment of it. */
  "PAID_UNLISTED",
  /** A callback named a payment that the provider does not list. */
  "PAYMENT_ANNOUNCED",
  "CHECK_UNANSWERED",
  /** A payment of the same amount as an earlier manual confirmation: no rule can tell whether it is the same money. */
  "SECOND_PAYMENT",
  /** The daily reconciliation found a difference between the provider's list and the ledger. */
  "DIFFERENCE",
  "TRANSFER_IN_DOUBT",
  "FRAUD_REPORT",
] as const;
export type HoldReason = (typeof holdReasons)[number];

export type { HoldResolution };
/** How a hold ends: `cleared` by a later answer of the provider, the others by an administrator. */
export type HoldOutcome = "cleared" | HoldResolution;

/** Reasons that the provider's next answer may clear; the others wait for an administrator. */
const clearableReasons: ReadonlySet<HoldReason> = new Set([
  "SUM_CONTRADICTS",
  "PAID_UNLISTED",
  "PAYMENT_ANNOUNCED",
  "CHECK_UNANSWERED",
]);

/** True for a reason that the provider's next answer may clear. */
export function isClearedByProvider(reason: HoldReason): boolean {
  return clearableReasons.has(reason);
}

/** True for a reason that ends only when the transfer it is about is settled; no resolution of the hold can end it. */
export function endsWithItsRecord(reason: HoldReason): boolean {
  return reason === "TRANSFER_IN_DOUBT";
}

/** Reasons about a payment for which an administrator's decision no longer counts once the provider reports the payment as paid again. */
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

/** True if the provider may have taken back the money of a booked payment, as its report or the daily reconciliation shows. */
export function mayPaymentBeTakenBack(reason: HoldReason, { cause, bookedAmount }: HoldFacts): boolean {
  if (reason === "DIFFERENCE") return cause !== undefined && takenBackCauses.has(cause);
  if (reason === "PAYMENT_REVERSED" || reason === "PAYMENT_GONE") return true;
  return bookedAmount !== undefined && (isPaidPaymentReason(reason) || reason === "PAYMENT_DIFFERS");
}

/**
 * The amount in ₮ that a hold's row can be booked with. Null if the row names none, or if the amount is implausible and the hold has
 * another reason: then no administrator has confirmed that the amount is real.
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

/** Everything the back office shows about a hold. Amounts are whole ₮, except `amount`, which is as the provider wrote it. */
export type HoldFacts = {
  providerPaymentId?: string;
  /** Midman's invoice, and the provider's id of the invoice that the row names. */
  invoiceId?: string;
  namesInvoice?: string;
  /** The trade that the named invoice belongs to, or the trade under which the row was listed. */
  otherReference?: number;
  amount?: string;
  currency?: string;
  status?: string;
  paidAt?: string;
  payerBank?: string;
  wallet?: string;
  /** The amount that the invoice asks for. */
  billed?: number;
  /** The amount that is booked under the same payment id. */
  bookedAmount?: number;
  /** The booked payment, and the manual confirmation that may be the same money. */
  paymentId?: number;
  manualPaymentId?: number;
  payoutId?: number;
  differenceId?: number;
  day?: string;
  cause?: string;
  note?: string;
  /** The row as the provider sent it, without its bank-transfer details. */
  row?: unknown;
};
