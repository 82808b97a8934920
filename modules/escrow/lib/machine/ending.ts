import { stamped } from "./answers.ts";
import type { DisputeOutcome, EndReason, Trade } from "./types.ts";

/** The end of a trade: nothing runs any more, and a dispute under way ends with it. */
export function ended(
  trade: Trade,
  status: "completed" | "cancelled",
  endReason: EndReason,
  now: Date,
  dispute: DisputeOutcome = "admin",
): Partial<Trade> {
  return {
    status,
    endReason,
    endedAt: now,
    deadlines: {},
    steps: status === "completed" ? stamped(trade.steps, "completed", now) : trade.steps,
    dispute: resolved(trade, dispute),
  };
}

/** The trade's dispute with its outcome, when it has one under way. */
export function resolved(
  trade: Trade,
  outcome: DisputeOutcome,
  refundAmount: number | null = null,
): Trade["dispute"] {
  if (trade.dispute === null || trade.dispute.outcome !== null) return trade.dispute;
  return { ...trade.dispute, outcome, refundAmount };
}
