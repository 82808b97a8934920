import { startSettlement } from "./completion.ts";
import { addDeadline, pauseDeadlines, removeDeadlines, resumeDeadlines } from "./deadline-times.ts";
import {
  changeTrade,
  createMails,
  createNotice,
  keepTrade,
  otherParty,
  refuseCommand,
  refuseForStatus,
} from "./decision-helpers.ts";
import { endTrade, resolveDispute } from "./end-trade.ts";
import { dueEffects, payoutEffects, refundEffects } from "./trade-money.ts";
import type { CommandOf, Disputable, Dispute, Effect, Party, Trade } from "./trade-types.ts";
import { disputableStatuses } from "./trade-types.ts";

type RuleCommand = CommandOf<"rule">;

/** A party opens a dispute: the parties' deadlines pause, and money that is due but not sent stays in escrow. */
export function decideDisputeOpening(trade: Trade, party: Party, now: Date) {
  if (trade.status === "disputed") {
    return trade.dispute?.openedBy === party ? keepTrade(trade) : refuseCommand("DISPUTE_OPEN", trade);
  }
  const from = trade.status;
  if (!isDisputable(from)) return refuseForStatus(trade);
  if (trade.moneySent) return refuseCommand("MONEY_ALREADY_SENT", trade);
  const running = pauseDeadlines(removeDeadlines(trade.deadlines, "payout"), now);
  const patch: Partial<Trade> = {
    status: "disputed",
    dispute: {
      openedBy: party,
      from,
      outcome: null,
      refundAmount: null,
      earlierSplit: splitInForce(trade.dispute),
    },
    deadlines: addDeadline(addDeadline(running, "dispute_statements", now), "dispute_ruling", now),
  };
  return changeTrade(trade, now, patch, [
    ...(from === "settlement_pending" ? [{ kind: "void_due" } as const] : []),
    createNotice(trade, party === "buyer" ? "disputeOpenedByBuyer" : "disputeOpenedBySeller"),
    ...createMails("disputeOpened", otherParty(party)),
    { kind: "admin_task", task: "dispute" },
  ]);
}

/**
 * The party that opened the dispute withdraws it: the trade returns to its earlier status, and each paused deadline runs on with the time
 * that was left.
 */
export function decideDisputeWithdrawal(trade: Trade, party: Party, now: Date) {
  const { dispute } = trade;
  if (dispute?.outcome === "withdrawn" && dispute.openedBy === party && trade.status === dispute.from) {
    return keepTrade(trade);
  }
  if (trade.status !== "disputed" || dispute === null) return refuseForStatus(trade);
  if (dispute.openedBy !== party) return refuseCommand("DISPUTE_NOT_YOURS", trade);
  const running = resumeDeadlines(
    removeDeadlines(trade.deadlines, "dispute_statements", "dispute_ruling"),
    now,
  );
  const settles = dispute.from === "settlement_pending";
  const asked = dispute.from === "payment_confirmed";
  const patch: Partial<Trade> = {
    status: dispute.from,
    dispute: resolveDispute(trade, "withdrawn"),
    deadlines: settles ? addDeadline(running, "payout", now) : running,
    // Cancelling by agreement is possible before the buyer's confirmation and in a dispute, not after.
    buyerCancelAt: asked ? trade.buyerCancelAt : null,
    sellerCancelAt: asked ? trade.sellerCancelAt : null,
  };
  return changeTrade(trade, now, patch, [
    // A ruled split stays in force. Otherwise the party that lost could undo it by opening a dispute and withdrawing it.
    ...(settles ? dueEffects(trade, dispute.earlierSplit) : []),
    ...(settles ? [{ kind: "admin_task", task: "payout" } as const] : []),
    createNotice(trade, "disputeWithdrawn"),
    { kind: "dispute_step", step: "withdrawn" },
  ]);
}

/** The buyer's part, in tugrik, of a ruled split that is in force after a dispute; null if there is none. */
export function splitInForce(dispute: Dispute | null): number | null {
  if (dispute?.outcome === "split") return dispute.refundAmount;
  return dispute?.outcome === "withdrawn" ? dispute.earlierSplit : null;
}

/** The mediator rules. A split divides the held money less the fee, and must give both parties something (SPLIT_OUT_OF_RANGE). */
export function decideRuling(trade: Trade, command: RuleCommand, now: Date) {
  if (trade.status !== "disputed")
    return isRepeatedRuling(trade, command) ? keepTrade(trade) : refuseForStatus(trade);
  if (command.ruling === "refund") return decideRefundRuling(trade, now);
  if (command.ruling === "split") return decideSplitRuling(trade, command.refundAmount ?? 0, now);
  const patch = { ...startSettlement(trade, now), dispute: resolveDispute(trade, "release") };
  return changeTrade(trade, now, patch, [
    ...payoutEffects(trade),
    createNotice(trade, "ruledRelease"),
    { kind: "dispute_step", step: "ruledRelease" },
    { kind: "admin_task", task: "payout" },
  ]);
}

function decideRefundRuling(trade: Trade, now: Date) {
  return changeTrade(trade, now, endTrade(trade, "cancelled", "ruling", now, "refund"), [
    ...refundEffects(trade),
    createNotice(trade, "ruledRefund"),
    ...createMails("tradeCancelled", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}

function decideSplitRuling(trade: Trade, refundAmount: number, now: Date) {
  const whole = trade.held - trade.fee;
  if (!Number.isInteger(refundAmount) || refundAmount < 1 || refundAmount >= whole) {
    return refuseCommand("SPLIT_OUT_OF_RANGE", trade);
  }
  const patch = { ...startSettlement(trade, now), dispute: resolveDispute(trade, "split", refundAmount) };
  return changeTrade(trade, now, patch, [
    ...dueEffects(trade, refundAmount),
    createNotice(trade, "ruledSplit", { refund: refundAmount, rest: whole - refundAmount }),
    { kind: "dispute_step", step: "ruledSplit" },
    { kind: "admin_task", task: "payout" },
    { kind: "admin_task", task: "refund" },
  ]);
}

/** What each party gets by a decision, and the fee; whole tugrik. */
export type Shares = { toBuyer: number; toSeller: number; fee: number };

/** The amounts of a ruling before it is given, computed from the effects that the machine would produce. */
export function sharesOf(effects: readonly Effect[]): Shares {
  const shares = { toBuyer: 0, toSeller: 0, fee: 0 };
  for (const effect of effects) {
    if (effect.kind !== "payout_due" && effect.kind !== "refund_due") continue;
    shares[effect.kind === "payout_due" ? "toSeller" : "toBuyer"] += effect.amount;
    shares.fee += effect.fee;
  }
  return shares;
}

/** The one amount that the administrator types to rule: what the ruling gives to the party it favours; of a split, the buyer's part. */
export function sumToType(ruling: RuleCommand["ruling"], { toBuyer, toSeller }: Shares): number {
  return ruling === "release" ? toSeller : toBuyer;
}

function isRepeatedRuling(trade: Trade, command: RuleCommand): boolean {
  const { dispute } = trade;
  if (dispute?.outcome !== command.ruling) return false;
  if (command.ruling === "refund") return true;
  return (
    dispute.refundAmount === (command.refundAmount ?? null) &&
    (trade.status === "settlement_pending" || trade.status === "completed")
  );
}

function isDisputable(status: Trade["status"]): status is Disputable {
  return disputableStatuses.some((one) => one === status);
}
