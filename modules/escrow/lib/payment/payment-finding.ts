import { db } from "#db/client";
import { type ProviderReport, payoutsOf } from "#modules/payments";
import type { Trade } from "../machine/trade-types.ts";
import { dueOf } from "../trade/view/due-date.ts";

/**
 * What Midman answers a buyer who asks about their payment; each kind has a text of its own.
 * `held_for_checking`: a person must look at what was received; the buyer must not pay in the meantime.
 * `trade_checked`: only a fraud report holds the trade; the payment is not in doubt, but the trade waits for an administrator.
 * `refunding`, `refunded`, `ended`: the trade is cancelled, and late money will be refunded, was refunded, or none was received.
 * `part`: some of the price has arrived. `failed`: every attempt to pay failed.
 * `unanswered`: the provider did not answer, so the trade may be paid. `nothing`: it answered that no payment was made.
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
type FindingKind = (typeof findingKinds)[number];

/** The kind, with the amounts that its text needs, in whole tugrik; 0 where the text needs none. */
export type PaymentFinding = { kind: FindingKind; amount: number; rest: number };

/** True while a person must look at a payment, so that the buyer must not pay again. An unanswered check alone is no sign of money. */
export function isHeldForChecking(holds: Trade["holds"]): boolean {
  return holds.some((reason) => reason !== "CHECK_UNANSWERED");
}

/**
 * True if, apart from an unanswered check, only a fraud report holds the trade: the trade is checked as a whole, and its payment is not in
 * doubt.
 */
export function isHeldByReport(holds: Trade["holds"]): boolean {
  const checked = holds.filter((reason) => reason !== "CHECK_UNANSWERED");
  return checked.length > 0 && checked.every((reason) => reason === "FRAUD_REPORT");
}

/** The finding for a trade after the provider was asked. A hold that waits for a person takes precedence over every other kind. */
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
