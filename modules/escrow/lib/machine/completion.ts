import { changed, mail, notice, outOfPlace, refuse, same } from "./answers.ts";
import { resolved } from "./ending.ts";
import { payoutOf } from "./money.ts";
import { started, without } from "./time.ts";
import type { Command, Decision, Party, Trade } from "./types.ts";

/** The goods are with the buyer, says the seller; the buyer's clock to check them starts. */
export function handOver(
  trade: Trade,
  command: Extract<Command, { kind: "hand_over" }>,
  now: Date,
): Decision {
  if (trade.handedOverAt !== null && trade.status !== "cancelled") return same(trade);
  if (trade.status !== "payment_confirmed") return outOfPlace(trade);
  // Else the buyer, goods in hand, could agree to the seller's earlier wish and have the money back too.
  if (trade.sellerCancelAt !== null) return refuse("CANCELLATION_PENDING", trade);
  const running = without(trade.deadlines, "hand_over");
  const patch: Partial<Trade> = {
    handedOverAt: now,
    handOverNote: command.note,
    deadlines: started(started(running, "buyer_finish", now), "admin_review", now),
  };
  return changed(trade, now, patch, [notice(trade, "handedOver"), ...mail("handedOver", "buyer")]);
}

/** A party is content: the buyer first, whose word starts the seller's clock, then the seller, whose money becomes due. */
export function confirm(trade: Trade, party: Party, now: Date): Decision {
  return party === "buyer" ? buyerConfirms(trade, now) : sellerConfirms(trade, now);
}

function buyerConfirms(trade: Trade, now: Date): Decision {
  if (trade.status === "disputed") return release(trade, now);
  if (trade.buyerCompletedAt !== null && trade.status !== "cancelled") return same(trade);
  if (trade.status !== "payment_confirmed") return outOfPlace(trade);
  if (trade.buyerCancelAt !== null) return refuse("CANCELLATION_PENDING", trade);
  const running = without(trade.deadlines, "hand_over", "buyer_finish", "admin_review");
  const patch: Partial<Trade> = {
    status: "exchange_completed",
    buyerCompletedAt: now,
    sellerCancelAt: null,
    deadlines: started(running, "seller_finish", now),
  };
  return changed(trade, now, patch, [notice(trade, "buyerConfirmed"), ...mail("confirmPlease", "seller")]);
}

function sellerConfirms(trade: Trade, now: Date): Decision {
  if (trade.sellerCompletedAt !== null && trade.status !== "cancelled" && trade.status !== "disputed") {
    return same(trade);
  }
  if (trade.status === "payment_confirmed") return refuse("BUYER_FIRST", trade);
  if (trade.status !== "exchange_completed") return outOfPlace(trade);
  if (!trade.sellerDestination) return refuse("DESTINATION_MISSING", trade);
  const patch = { ...settling(trade, now), sellerCompletedAt: now };
  return changed(trade, now, patch, [
    ...payoutOf(trade),
    notice(trade, "sellerConfirmed"),
    { kind: "admin_task", task: "payout" },
  ]);
}

/** The buyer ends a dispute in the seller's favour. */
function release(trade: Trade, now: Date): Decision {
  if (trade.buyerCancelAt !== null) return refuse("CANCELLATION_PENDING", trade);
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
