import { startSettlement } from "./completion.ts";
import {
  changeTrade,
  createMails,
  createNotice,
  isUnpaid,
  keepTrade,
  refuseCommand,
  refuseForStatus,
} from "./decision-helpers.ts";
import { splitInForce } from "./dispute.ts";
import { endTrade } from "./end-trade.ts";
import { dueEffects, payoutEffects, refundEffects } from "./trade-money.ts";
import type { Command, Decision, Effect, Trade } from "./trade-types.ts";

/**
 * An administrator closes a trade: without money nothing moves; with money it is paid now, to the seller or as a split that was
 * ruled before this dispute says.
 */
export function decideCompletion(trade: Trade, now: Date): Decision {
  if (trade.status === "completed") return keepTrade(trade);
  if (trade.status === "cancelled") return refuseCommand("TRADE_OVERTAKEN", trade);
  const pays = trade.held > 0;
  if (pays && !trade.sellerDestination) return refuseCommand("DESTINATION_MISSING", trade);
  const patch: Partial<Trade> = {
    ...endTrade(trade, "completed", pays ? "paid_out" : "closed", now),
    buyerCancelAt: null,
    sellerCancelAt: null,
  };
  // In settlement what is due is recorded already; elsewhere it becomes due by this very command.
  const due: Effect[] =
    trade.status === "settlement_pending" ? [] : dueEffects(trade, trade.dispute?.earlierSplit ?? null);
  return changeTrade(trade, now, patch, [
    ...due,
    ...(pays ? ([{ kind: "send_due" }, { kind: "admin_task", task: "bankReference" }] as const) : []),
    ...(isUnpaid(trade) ? [{ kind: "cancel_invoices" } as const] : []),
    createNotice(trade, "adminCompleted"),
    ...createMails("transactionCompletion", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}

/** An administrator lets the seller have money that both did not confirm: it becomes due, and leaves by the steps of a payout. */
export function decideSellerPayment(trade: Trade, now: Date): Decision {
  if (trade.status === "settlement_pending" && splitInForce(trade.dispute) === null) return keepTrade(trade);
  if (trade.status !== "payment_confirmed" && trade.status !== "exchange_completed")
    return refuseForStatus(trade);
  if (!trade.sellerDestination) return refuseCommand("DESTINATION_MISSING", trade);
  return changeTrade(trade, now, startSettlement(trade, now), [
    ...payoutEffects(trade),
    createNotice(trade, "adminPaysSeller"),
    ...createMails("payoutDecided", "buyer", "seller"),
    { kind: "admin_task", task: "payout" },
  ]);
}

/** An administrator calls a trade off: what is held goes back, unless any of it has left already. */
export function decideCancellation(
  trade: Trade,
  command: Extract<Command, { kind: "cancel" }>,
  now: Date,
): Decision {
  if (trade.status === "cancelled") {
    return trade.endReason === "admin" ? keepTrade(trade) : refuseCommand("TRADE_OVERTAKEN", trade);
  }
  if (trade.moneySent) return refuseCommand("MONEY_ALREADY_SENT", trade);
  return changeTrade(trade, now, endTrade(trade, "cancelled", "admin", now), [
    // A completed trade has something due when a transfer of it was found not to have happened.
    ...(trade.status === "settlement_pending" || (trade.status === "completed" && trade.held > 0)
      ? [{ kind: "void_due" } as const]
      : []),
    ...refundEffects(trade, command.ourFault),
    ...(isUnpaid(trade) ? [{ kind: "cancel_invoices" } as const] : []),
    createNotice(trade, "adminCancelled"),
    ...createMails("tradeCancelled", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}

/** A payout or refund was sent: once nothing of a settling trade is held any more, it is complete. */
export function decideMoneyLeft(trade: Trade, now: Date): Decision {
  if (trade.status !== "settlement_pending" || trade.held > 0) return keepTrade(trade);
  return changeTrade(trade, now, endTrade(trade, "completed", "paid_out", now), [
    createNotice(trade, "settled"),
    ...createMails("transactionCompletion", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}

/** Out of every list, never erased; only what has ended, and not while money is held. */
export function decideHiding(trade: Trade, now: Date): Decision {
  if (trade.hiddenAt !== null) return keepTrade(trade);
  if (trade.endedAt === null) return refuseCommand("TRADE_UNDER_WAY", trade);
  return trade.held > 0 ? refuseCommand("MONEY_HELD", trade) : changeTrade(trade, now, { hiddenAt: now });
}
