import type { Effect, Trade } from "./trade-types.ts";

type DueEffect = Extract<Effect, { kind: "payout_due" | "refund_due" }>;
type RefundEffect = Extract<Effect, { kind: "refund_due" | "admin_task" }>;

/** The seller's payout: the net amount, or what is held if that is less. The rest of the held money is the fee. */
export function payoutEffects(trade: Trade): DueEffect[] {
  if (trade.held === 0) return [];
  const amount = Math.min(trade.net, trade.held);
  return [{ kind: "payout_due", amount, fee: trade.held - amount }];
}

/** What becomes due to both parties: by a ruled split (`split`: the buyer's part, in tugrik), otherwise everything to the seller. */
export function dueEffects(trade: Trade, split: number | null): DueEffect[] {
  if (split === null) return payoutEffects(trade);
  return [
    { kind: "payout_due", amount: trade.held - trade.fee - split, fee: trade.fee },
    { kind: "refund_due", amount: split, fee: 0 },
  ];
}

/** The refund to the buyer if the trade were cancelled now, in tugrik, by the rule of `refundEffects`. */
export function calculateRefundable(trade: Trade): number {
  const [due] = refundEffects(trade);
  return due?.kind === "refund_due" ? due.amount : 0;
}

/**
 * The buyer's refund: everything that is held. By policy `terms` Midman keeps the fee of a trade that was paid in full, except where the
 * cancellation is Midman's own fault. A trade that expires was never paid in full. The mail about the trade's end asks the buyer for an
 * account, if Midman does not have it.
 */
export function refundEffects(trade: Trade, ourFault = false): RefundEffect[] {
  if (trade.held === 0) return [];
  const fee = trade.feePolicy === "terms" && trade.confirmedAt !== null && !ourFault ? trade.fee : 0;
  return [
    { kind: "refund_due", amount: trade.held - fee, fee },
    { kind: "admin_task", task: "refund" },
  ];
}
