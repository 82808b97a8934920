import { stampStep } from "./decision-helpers.ts";
import type { DisputeOutcome, EndReason, Trade } from "./trade-types.ts";

/**
 * The end of a trade: nothing runs any more but the buyer's time to name a refund's account, which follows the refund and not the
 * trade, and a dispute under way ends with it.
 */
export function endTrade(
  trade: Trade,
  status: "completed" | "cancelled",
  endReason: EndReason,
  now: Date,
  dispute: DisputeOutcome = "admin",
): Partial<Trade> {
  const { refund_account } = trade.deadlines;
  return {
    status,
    endReason,
    endedAt: now,
    deadlines: refund_account === undefined ? {} : { refund_account },
    steps: status === "completed" ? stampStep(trade.steps, "completed", now) : trade.steps,
    dispute: resolveDispute(trade, dispute),
  };
}

/** The trade's dispute with its outcome, when it has one under way. */
export function resolveDispute(
  trade: Trade,
  outcome: DisputeOutcome,
  refundAmount: number | null = null,
): Trade["dispute"] {
  if (trade.dispute === null || trade.dispute.outcome !== null) return trade.dispute;
  return { ...trade.dispute, outcome, refundAmount };
}
