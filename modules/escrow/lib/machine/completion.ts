import { started, without } from "./deadline-times.ts";
import { changed, mail, notice, outOfPlace, refuseCommand, unchangedTrade } from "./decision-helpers.ts";
import { resolved } from "./end-trade.ts";
import { payoutOf } from "./trade-money.ts";
import type { Command, Decision, Party, Trade } from "./trade-types.ts";

/**
 * The goods are with the buyer, says the seller; the buyer's clock to check them starts. A buyer who confirmed too early takes no
 * hand-over from the seller: until the trade's end it is still recorded, and starts no clock.
 */
export function decideHandOver(
  trade: Trade,
  command: Extract<Command, { kind: "hand_over" }>,
  now: Date,
): Decision {
  if (trade.handedOverAt !== null && trade.status !== "cancelled") return unchangedTrade(trade);
  if (trade.receivedOtherwiseAt !== null && handOverFollows(trade)) {
    const late: Partial<Trade> = { handedOverAt: now, handOverNote: command.note };
    return changed(trade, now, late, [notice(trade, "handedOverLate"), ...mail("handedOver", "buyer")]);
  }
  if (trade.status !== "payment_confirmed") return outOfPlace(trade);
  // Else the buyer, goods in hand, could agree to the seller's earlier wish and have the money back too.
  if (trade.sellerCancelAt !== null) return refuseCommand("CANCELLATION_PENDING", trade);
  const running = without(trade.deadlines, "hand_over");
  const patch: Partial<Trade> = {
    handedOverAt: now,
    handOverNote: command.note,
    deadlines: started(started(running, "buyer_finish", now), "admin_review", now),
  };
  return changed(trade, now, patch, [notice(trade, "handedOver"), ...mail("handedOver", "buyer")]);
}

/** The states after the buyer's confirmation in which a hand-over that it came before may still be recorded. */
export function handOverFollows({ status }: Pick<Trade, "status">): boolean {
  return status === "exchange_completed" || status === "settlement_pending";
}

/** A party is content: the buyer first, whose word starts the seller's clock, then the seller, whose money becomes due. */
export function decideConfirmation(
  trade: Trade,
  command: Extract<Command, { kind: "confirm" }>,
  party: Party,
  now: Date,
): Decision {
  return party === "buyer" ? buyerConfirms(trade, command, now) : sellerConfirms(trade, now);
}

/** Where no hand-over is recorded, the confirmation says that the goods came another way, and is kept as that. */
function buyerConfirms(
  trade: Trade,
  { receipt }: Extract<Command, { kind: "confirm" }>,
  now: Date,
): Decision {
  if (trade.status === "disputed") return release(trade, now);
  if (trade.buyerCompletedAt !== null && trade.status !== "cancelled") return unchangedTrade(trade);
  if (trade.status !== "payment_confirmed") return outOfPlace(trade);
  if (trade.buyerCancelAt !== null) return refuseCommand("CANCELLATION_PENDING", trade);
  if (receipt === "handed_over" && trade.handedOverAt === null)
    return refuseCommand("NOT_HANDED_OVER", trade);
  // A hand-over that was recorded while the buyer read the question counts: nothing was received another way.
  const otherwise = trade.handedOverAt === null;
  const running = without(trade.deadlines, "hand_over", "buyer_finish", "admin_review");
  const patch: Partial<Trade> = {
    status: "exchange_completed",
    receivedOtherwiseAt: otherwise ? now : null,
    buyerCompletedAt: now,
    sellerCancelAt: null,
    deadlines: started(running, "seller_finish", now),
  };
  return changed(trade, now, patch, [
    notice(trade, otherwise ? "buyerReceivedOtherwise" : "buyerConfirmed"),
    ...mail("confirmPlease", "seller"),
  ]);
}

function sellerConfirms(trade: Trade, now: Date): Decision {
  if (trade.sellerCompletedAt !== null && trade.status !== "cancelled" && trade.status !== "disputed") {
    return unchangedTrade(trade);
  }
  if (trade.status === "payment_confirmed") return refuseCommand("BUYER_FIRST", trade);
  if (trade.status !== "exchange_completed") return outOfPlace(trade);
  if (!trade.sellerDestination) return refuseCommand("DESTINATION_MISSING", trade);
  const patch = { ...settling(trade, now), sellerCompletedAt: now };
  return changed(trade, now, patch, [
    ...payoutOf(trade),
    notice(trade, "sellerConfirmed"),
    { kind: "admin_task", task: "payout" },
  ]);
}

/** The buyer ends a dispute in the seller's favour. */
function release(trade: Trade, now: Date): Decision {
  if (trade.buyerCancelAt !== null) return refuseCommand("CANCELLATION_PENDING", trade);
  const patch: Partial<Trade> = {
    ...settling(trade, now),
    buyerCompletedAt: trade.buyerCompletedAt ?? now,
    dispute: resolved(trade, "released"),
  };
  return changed(trade, now, patch, [
    ...payoutOf(trade),
    notice(trade, "disputeReleased"),
    { kind: "dispute_step", step: "released" },
    { kind: "admin_task", task: "payout" },
  ]);
}

/** The state in which only the administrators' transfer is missing. */
export function settling(trade: Trade, now: Date): Partial<Trade> {
  const running = without(
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
    deadlines: started(running, "payout", now),
  };
}
