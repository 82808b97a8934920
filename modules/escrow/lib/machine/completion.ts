import { addDeadline, removeDeadlines } from "./deadline-times.ts";
import {
  changeTrade,
  createMails,
  createNotice,
  keepTrade,
  refuseCommand,
  refuseForStatus,
} from "./decision-helpers.ts";
import { resolveDispute } from "./end-trade.ts";
import { payoutEffects } from "./trade-money.ts";
import type { CommandOf, Party, Trade } from "./trade-types.ts";

/**
 * The seller says that the goods are with the buyer, which starts the buyer's time to check them. A buyer who confirmed too early does not
 * prevent the handover: it is still recorded until the trade's end, and starts no deadline.
 */
export function decideHandOver(trade: Trade, command: CommandOf<"hand_over">, now: Date) {
  if (trade.handedOverAt !== null && trade.status !== "cancelled") {
    // Another note would be lost: the first one stays.
    const isKnown = command.note === null || command.note === trade.handOverNote;
    return isKnown ? keepTrade(trade) : refuseCommand("TRADE_OVERTAKEN", trade);
  }
  if (trade.receivedOtherwiseAt !== null && mayRecordLateHandOver(trade)) {
    const late: Partial<Trade> = { handedOverAt: now, handOverNote: command.note };
    return changeTrade(trade, now, late, [
      createNotice(trade, command.inVault ? "handedOverByVaultLate" : "handedOverLate"),
      ...createMails("handedOver", "buyer"),
    ]);
  }
  if (trade.status !== "payment_confirmed") return refuseForStatus(trade);
  // Otherwise the buyer, who has the goods, could agree to the seller's earlier request to cancel and get the money back as well.
  if (trade.sellerCancelAt !== null) return refuseCommand("CANCELLATION_PENDING", trade);
  const running = removeDeadlines(trade.deadlines, "hand_over");
  const patch: Partial<Trade> = {
    handedOverAt: now,
    handOverNote: command.note,
    deadlines: addDeadline(addDeadline(running, "buyer_finish", now), "admin_review", now),
  };
  return changeTrade(trade, now, patch, [
    createNotice(trade, command.inVault ? "handedOverByVault" : "handedOver"),
    ...createMails("handedOver", "buyer"),
  ]);
}

/** Statuses after the buyer's confirmation in which a handover that preceded it may still be recorded. */
export function mayRecordLateHandOver({ status }: Pick<Trade, "status">): boolean {
  return status === "exchange_completed" || status === "settlement_pending";
}

/** A party confirms the trade: first the buyer, which starts the seller's deadline; then the seller, whose money becomes due. */
export function decideConfirmation(trade: Trade, command: CommandOf<"confirm">, party: Party, now: Date) {
  return party === "buyer"
    ? decideBuyerConfirmation(trade, command, now)
    : decideSellerConfirmation(trade, now);
}

/** Without a recorded handover, the confirmation says that the goods came another way, and is recorded as that. */
function decideBuyerConfirmation(trade: Trade, { receipt, endsDispute }: CommandOf<"confirm">, now: Date) {
  // A confirmation from before the dispute may arrive again, by a page's retry or a second tab: it must not release the money.
  if (trade.status === "disputed")
    return endsDispute === true ? decideRelease(trade, now) : refuseCommand("DISPUTE_OPEN", trade);
  if (trade.buyerCompletedAt !== null && trade.status !== "cancelled") return keepTrade(trade);
  if (trade.status !== "payment_confirmed") return refuseForStatus(trade);
  if (trade.buyerCancelAt !== null) return refuseCommand("CANCELLATION_PENDING", trade);
  if (receipt === "handed_over" && trade.handedOverAt === null)
    return refuseCommand("NOT_HANDED_OVER", trade);
  // A handover that was recorded while the buyer read the question counts: nothing was received another way.
  const otherwise = trade.handedOverAt === null;
  const running = removeDeadlines(trade.deadlines, "hand_over", "buyer_finish", "admin_review");
  const patch: Partial<Trade> = {
    status: "exchange_completed",
    receivedOtherwiseAt: otherwise ? now : null,
    buyerCompletedAt: now,
    sellerCancelAt: null,
    deadlines: addDeadline(running, "seller_finish", now),
  };
  return changeTrade(trade, now, patch, [
    createNotice(trade, otherwise ? "buyerReceivedOtherwise" : "buyerConfirmed"),
    ...createMails("confirmPlease", "seller"),
  ]);
}

function decideSellerConfirmation(trade: Trade, now: Date) {
  if (trade.sellerCompletedAt !== null && trade.status !== "cancelled" && trade.status !== "disputed") {
    return keepTrade(trade);
  }
  if (trade.status === "payment_confirmed") return refuseCommand("BUYER_FIRST", trade);
  if (trade.status !== "exchange_completed") return refuseForStatus(trade);
  if (!trade.sellerDestination) return refuseCommand("DESTINATION_MISSING", trade);
  const patch = { ...startSettlement(trade, now), sellerCompletedAt: now };
  return changeTrade(trade, now, patch, [
    ...payoutEffects(trade),
    createNotice(trade, "sellerConfirmed"),
    { kind: "admin_task", task: "payout" },
  ]);
}

/** The buyer ends a dispute in the seller's favour. */
function decideRelease(trade: Trade, now: Date) {
  if (trade.buyerCancelAt !== null) return refuseCommand("CANCELLATION_PENDING", trade);
  const patch: Partial<Trade> = {
    ...startSettlement(trade, now),
    buyerCompletedAt: trade.buyerCompletedAt ?? now,
    dispute: resolveDispute(trade, "released"),
  };
  return changeTrade(trade, now, patch, [
    ...payoutEffects(trade),
    createNotice(trade, "disputeReleased"),
    { kind: "dispute_step", step: "released" },
    { kind: "admin_task", task: "payout" },
  ]);
}

/** The change to the status in which only the administrators' transfer is missing. */
export function startSettlement(trade: Trade, now: Date): Partial<Trade> {
  const running = removeDeadlines(
    trade.deadlines,
    "hand_over",
    "buyer_finish",
    "admin_review",
    "seller_finish",
    "dispute_statements",
    "dispute_ruling",
  );
  return {
    status: "settlement_pending",
    buyerCancelAt: null,
    sellerCancelAt: null,
    deadlines: addDeadline(running, "payout", now),
  };
}
