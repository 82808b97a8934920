import { settling } from "./completion.ts";
import { halted, resumed, started, without } from "./deadline-times.ts";
import {
  changed,
  mail,
  notice,
  other,
  outOfPlace,
  refuseCommand,
  unchangedTrade,
} from "./decision-helpers.ts";
import { ended, resolved } from "./end-trade.ts";
import { dueBy, payoutOf, refundOf } from "./trade-money.ts";
import type { Command, Decision, Disputable, Dispute, Effect, Party, Trade } from "./trade-types.ts";

type Rule = Extract<Command, { kind: "rule" }>;

/** A party calls the dispute team: what runs halts, and money that is due but not sent stays. */
export function openDispute(trade: Trade, party: Party, now: Date): Decision {
  if (trade.status === "disputed") {
    return trade.dispute?.openedBy === party ? unchangedTrade(trade) : refuseCommand("DISPUTE_OPEN", trade);
  }
  const from = trade.status;
  if (!isDisputable(from)) return outOfPlace(trade);
  if (trade.moneySent) return refuseCommand("MONEY_ALREADY_SENT", trade);
  const running = halted(without(trade.deadlines, "payout"), now);
  const patch: Partial<Trade> = {
    status: "disputed",
    dispute: {
      openedBy: party,
      from,
      outcome: null,
      refundAmount: null,
      earlierSplit: splitInForce(trade.dispute),
    },
    deadlines: started(started(running, "dispute_statements", now), "dispute_ruling", now),
  };
  return changed(trade, now, patch, [
    ...(from === "settlement_pending" ? [{ kind: "void_due" } as const] : []),
    notice(trade, party === "buyer" ? "disputeOpenedByBuyer" : "disputeOpenedBySeller"),
    ...mail("disputeOpened", other(party)),
    { kind: "admin_task", task: "dispute" },
  ]);
}

/** Whoever opened it takes it back: all is as before, and what was left of each span runs on. */
export function withdrawDispute(trade: Trade, party: Party, now: Date): Decision {
  const { dispute } = trade;
  if (dispute?.outcome === "withdrawn" && dispute.openedBy === party && trade.status === dispute.from) {
    return unchangedTrade(trade);
  }
  if (trade.status !== "disputed" || dispute === null) return outOfPlace(trade);
  if (dispute.openedBy !== party) return refuseCommand("DISPUTE_NOT_YOURS", trade);
  const running = resumed(without(trade.deadlines, "dispute_statements", "dispute_ruling"), now);
  const settles = dispute.from === "settlement_pending";
  const asked = dispute.from === "payment_confirmed";
  const patch: Partial<Trade> = {
    status: dispute.from,
    dispute: resolved(trade, "withdrawn"),
    deadlines: settles ? started(running, "payout", now) : running,
    // Cancelling together exists before the buyer's confirmation and in a dispute, not after.
    buyerCancelAt: asked ? trade.buyerCancelAt : null,
    sellerCancelAt: asked ? trade.sellerCancelAt : null,
  };
  return changed(trade, now, patch, [
    // A ruled split stays one, or its loser could undo it by a dispute withdrawn.
    ...(settles ? dueBy(trade, dispute.earlierSplit) : []),
    ...(settles ? [{ kind: "admin_task", task: "payout" } as const] : []),
    notice(trade, "disputeWithdrawn"),
    { kind: "dispute_step", step: "withdrawn" },
  ]);
}

/** The buyer's part by the ruling that stands after a dispute, where that was a split. */
export function splitInForce(dispute: Dispute | null): number | null {
  if (dispute?.outcome === "split") return dispute.refundAmount;
  return dispute?.outcome === "withdrawn" ? dispute.earlierSplit : null;
}

/** The dispute team rules; a split divides gross − fee, and leaves both something. */
export function rule(trade: Trade, command: Rule, now: Date): Decision {
  if (trade.status !== "disputed")
    return ruledBefore(trade, command) ? unchangedTrade(trade) : outOfPlace(trade);
  if (command.ruling === "refund") return ruleRefund(trade, now);
  if (command.ruling === "split") return ruleSplit(trade, command.refundAmount ?? 0, now);
  const patch = { ...settling(trade, now), dispute: resolved(trade, "release") };
  return changed(trade, now, patch, [
    ...payoutOf(trade),
    notice(trade, "ruledRelease"),
    { kind: "dispute_step", step: "ruledRelease" },
    { kind: "admin_task", task: "payout" },
  ]);
}

function ruleRefund(trade: Trade, now: Date): Decision {
  return changed(trade, now, ended(trade, "cancelled", "ruling", now, "refund"), [
    ...refundOf(trade),
    notice(trade, "ruledRefund"),
    ...mail("tradeCancelled", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}

function ruleSplit(trade: Trade, refundAmount: number, now: Date): Decision {
  const whole = trade.held - trade.fee;
  if (!Number.isInteger(refundAmount) || refundAmount < 1 || refundAmount >= whole) {
    return refuseCommand("SPLIT_OUT_OF_RANGE", trade);
  }
  const patch = { ...settling(trade, now), dispute: resolved(trade, "split", refundAmount) };
  return changed(trade, now, patch, [
    ...dueBy(trade, refundAmount),
    notice(trade, "ruledSplit", { refund: refundAmount, rest: whole - refundAmount }),
    { kind: "dispute_step", step: "ruledSplit" },
    ...mail("refundAccountNeeded", "buyer"),
    { kind: "admin_task", task: "payout" },
    { kind: "admin_task", task: "refund" },
  ]);
}

/** What each side gets by a decision, and what of the money is the fee: whole tugrik. */
export type Shares = { toBuyer: number; toSeller: number; fee: number };

/** The sums of a ruling before it is given, read off what the machine would do. */
export function sharesOf(effects: readonly Effect[]): Shares {
  const shares = { toBuyer: 0, toSeller: 0, fee: 0 };
  for (const effect of effects) {
    if (effect.kind !== "payout_due" && effect.kind !== "refund_due") continue;
    shares[effect.kind === "payout_due" ? "toSeller" : "toBuyer"] += effect.amount;
    shares.fee += effect.fee;
  }
  return shares;
}

/** The one sum that whoever gives a ruling types out: what it gives to the side it speaks for, of a split the buyer's part. */
export function sumToType(ruling: Rule["ruling"], { toBuyer, toSeller }: Shares): number {
  return ruling === "release" ? toSeller : toBuyer;
}

function ruledBefore(trade: Trade, command: Rule): boolean {
  const { dispute } = trade;
  if (dispute?.outcome !== command.ruling) return false;
  if (command.ruling === "refund") return true;
  return (
    dispute.refundAmount === (command.refundAmount ?? null) &&
    (trade.status === "settlement_pending" || trade.status === "completed")
  );
}

function isDisputable(status: Trade["status"]): status is Disputable {
  return status === "payment_confirmed" || status === "exchange_completed" || status === "settlement_pending";
}
