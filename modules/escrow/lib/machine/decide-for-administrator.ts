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
import type { CommandOf, Trade } from "./trade-types.ts";

/**
 * An administrator closes a trade. Without money nothing moves; with money it is paid now, to the seller or by the split that was ruled
 * before this dispute.
 */
export function decideCompletion(trade: Trade, now: Date) {
  if (trade.status === "completed") return keepTrade(trade);
  if (trade.status === "cancelled") return refuseCommand("TRADE_OVERTAKEN", trade);
  const pays = trade.held > 0;
  if (pays && !trade.sellerDestination) return refuseCommand("DESTINATION_MISSING", trade);
  const patch = {
    ...endTrade(trade, "completed", pays ? "paid_out" : "closed", now),
    buyerCancelAt: null,
    sellerCancelAt: null,
  };
  // In settlement the payouts are recorded already; in any other status this command makes them due.
  const due =
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

/**
 * An administrator pays the seller although the parties did not both confirm: the money becomes due, and leaves by the steps of a payout.
 */
export function decideSellerPayment(trade: Trade, now: Date) {
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

/** An administrator cancels a trade: the held money is refunded. Refused with MONEY_ALREADY_SENT if any of it may have left already. */
export function decideCancellation(trade: Trade, command: CommandOf<"cancel">, now: Date) {
  if (trade.status === "cancelled") {
    return trade.endReason === "admin" ? keepTrade(trade) : refuseCommand("TRADE_OVERTAKEN", trade);
  }
  if (trade.moneySent) return refuseCommand("MONEY_ALREADY_SENT", trade);
  return changeTrade(trade, now, endTrade(trade, "cancelled", "admin", now), [
    // A completed trade has a payout due if one of its transfers was found not to have happened.
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

/**
 * A payout or refund was sent. A trade in settlement is completed once it holds no more money. The mail about each transfer goes to its
 * recipient, so the mail about the trade's end goes only to a buyer who got nothing back.
 */
export function decideMoneyLeft(trade: Trade, now: Date) {
  if (trade.status !== "settlement_pending" || trade.held > 0) return keepTrade(trade);
  return changeTrade(trade, now, endTrade(trade, "completed", "paid_out", now), [
    createSettledNotice(trade),
    ...(splitInForce(trade.dispute) === null ? createMails("transactionCompletion", "buyer") : []),
    { kind: "end_room" },
  ]);
}

/** The notice that the trade is complete; after a split it names both parties' sums. */
function createSettledNotice(trade: Trade) {
  const refund = splitInForce(trade.dispute);
  if (refund === null) return createNotice(trade, "settled");
  return createNotice(trade, "settledSplit", { refund, rest: trade.net - refund });
}

/** Removes an ended trade from every list without erasing it. Refused before the trade's end and while money is held. */
export function decideHiding(trade: Trade, now: Date) {
  if (trade.hiddenAt !== null) return keepTrade(trade);
  if (trade.endedAt === null) return refuseCommand("TRADE_UNDER_WAY", trade);
  return trade.held > 0 ? refuseCommand("MONEY_HELD", trade) : changeTrade(trade, now, { hiddenAt: now });
}
