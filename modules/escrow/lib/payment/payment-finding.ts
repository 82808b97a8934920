import { db } from "#db/client";
import { type ProviderReport, payoutsOf } from "#modules/payments";
import type { Trade } from "../machine/trade-types.ts";
import { dueOf } from "../trade/view/due-date.ts";

/**
 * What a buyer who asks about their payment is told; each kind has its own words.
 * `held_for_checking`: something came that a person has to look at, and nothing more is to be paid meanwhile.
 * `trade_checked`: only a report holds the trade; nothing is wrong with the payment, but the whole trade waits for an administrator.
 * `refunding`, `refunded`, `ended`: the trade is over, and what came too late goes back, has gone back, or nothing came.
 * `unanswered`: the provider said nothing, so it may be paid; `nothing`: it answered that nothing came.
 */
export const findingKinds = [
  "confirmed",
  "held_for_checking",
  "trade_checked",
  "refunding",
  "refunded",
  "ended",
  "part",
  "failed",
  "unanswered",
  "nothing",
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** The kind with the sums that its words need, in whole tugrik; 0 where they name none. */
export type PaymentFinding = { kind: FindingKind; amount: number; rest: number };

/**
 * Whether money may be here that is not booked, so that nobody is to pay again. A provider that is merely silent says nothing of that.
 */
export function isHeldForChecking(holds: Trade["holds"]): boolean {
  return holds.some((reason) => reason !== "CHECK_UNANSWERED");
}

/** Whether a fraud report alone holds the trade: it is checked as a whole, and nothing says that its payment is in doubt. */
export function isHeldByReport(holds: Trade["holds"]): boolean {
  const checked = holds.filter((reason) => reason !== "CHECK_UNANSWERED");
  return checked.length > 0 && checked.every((reason) => reason === "FRAUD_REPORT");
}

/** What is true of a trade's payment after the provider was asked about it; what waits for a person comes before all else. */
export async function findingOf(
  trade: Trade,
  { complete }: Pick<ProviderReport, "complete">,
): Promise<PaymentFinding> {
  const none = { amount: 0, rest: 0 };
  if (isHeldByReport(trade.holds)) return { kind: "trade_checked", ...none };
  if (isHeldForChecking(trade.holds)) return { kind: "held_for_checking", ...none };
  if (trade.status === "cancelled") {
    const { refund } = dueOf(await payoutsOf(db(), trade.id));
    if (refund === null) return { kind: complete ? "ended" : "unanswered", ...none };
    return { kind: refund.sent ? "refunded" : "refunding", amount: refund.amount, rest: 0 };
  }
  if (trade.confirmedAt !== null) return { kind: "confirmed", ...none };
  if (trade.status === "payment_failed") return { kind: "failed", ...none };
  if (trade.held > 0) return { kind: "part", amount: trade.held, rest: trade.gross - trade.held };
  return { kind: complete ? "nothing" : "unanswered", ...none };
}
