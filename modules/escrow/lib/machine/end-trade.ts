import { stampStep } from "./decision-helpers.ts";
import type { DisputeOutcome, EndReason, Trade } from "./trade-types.ts";

/**
 * Ends a trade. No deadline runs any more except the buyer's time to enter a refund account, which belongs to the refund and not to the
 * trade. An open dispute ends too.
 */
export function endTrade(
  trade: Trade,
  status: "completed" | "cancelled",
  endReason: EndReason,
  now: Date,
  dispute: DisputeOutcome = "admin",
): Partial<Trade> & { endedAt: Date } {
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

/** The trade's dispute with this outcome, if one is open; otherwise unchanged. */
export function resolveDispute(
  trade: Trade,
  outcome: DisputeOutcome,
  refundAmount: number | null = null,
): Trade["dispute"] {
  if (trade.dispute === null || trade.dispute.outcome !== null) return trade.dispute;
  return { ...trade.dispute, outcome, refundAmount };
}
