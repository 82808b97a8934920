import { createMails } from "./decision-helpers.ts";
import type { Effect, Trade } from "./trade-types.ts";

/** What becomes due to the seller: the net, or what there is of it; all else that is held is the fee. */
export function payoutEffects(trade: Trade): Effect[] {
  if (trade.held === 0) return [];
  const amount = Math.min(trade.net, trade.held);
  return [{ kind: "payout_due", amount, fee: trade.held - amount }];
}

/** What becomes due to both sides: by a split that was ruled (`split`, the buyer's part) as it says, else all to the seller. */
export function dueEffects(trade: Trade, split: number | null): Effect[] {
  if (split === null) return payoutEffects(trade);
  return [
    { kind: "payout_due", amount: trade.held - trade.fee - split, fee: trade.fee },
    { kind: "refund_due", amount: split, fee: 0 },
  ];
}

/** What goes back to the buyer when a trade is cancelled as it stands now, by the same rule. */
export function calculateRefundable(trade: Trade): number {
  const [due] = refundEffects(trade);
  return due?.kind === "refund_due" ? due.amount : 0;
}

/**
 * What becomes due back to the buyer: all that is held. By policy `terms` the fee of a trade that was paid in full is kept,
 * except on our own fault (design §4); one that expires was never paid in full.
 */
export function refundEffects(trade: Trade, ourFault = false): Effect[] {
  if (trade.held === 0) return [];
  const fee = trade.feePolicy === "terms" && trade.confirmedAt !== null && !ourFault ? trade.fee : 0;
  return [
    { kind: "refund_due", amount: trade.held - fee, fee },
    ...createMails("refundAccountNeeded", "buyer"),
    { kind: "admin_task", task: "refund" },
  ];
}
