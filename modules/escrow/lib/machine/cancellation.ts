import { changed, mail, notice, other, outOfPlace, unchangedTrade } from "./decision-helpers.ts";
import { ended } from "./end-trade.ts";
import { refundOf } from "./trade-money.ts";
import type { Decision, Party, Trade } from "./trade-types.ts";

const flag = { buyer: "buyerCancelAt", seller: "sellerCancelAt" } as const;

/** A party asks to cancel; when the other one has asked before, that is the agreement. */
export function requestCancellation(trade: Trade, party: Party, now: Date): Decision {
  if (trade.endReason === "agreed") return unchangedTrade(trade);
  if (!cancellable(trade)) return outOfPlace(trade);
  if (trade[flag[party]] !== null) return unchangedTrade(trade);
  if (trade[flag[other(party)]] === null) {
    const asked = party === "buyer" ? "cancelAskedByBuyer" : "cancelAskedBySeller";
    return changed(trade, now, { [flag[party]]: now }, [
      notice(trade, asked),
      ...mail("cancellationRequested", other(party)),
    ]);
  }
  const patch = { ...ended(trade, "cancelled", "agreed", now, "cancelled"), [flag[party]]: now };
  return changed(trade, now, patch, [
    ...refundOf(trade),
    notice(trade, "cancelledByBoth"),
    ...mail("tradeCancelled", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}

/** Whoever asked to cancel takes that back. */
export function withdrawCancellation(trade: Trade, party: Party, now: Date): Decision {
  if (!cancellable(trade)) return outOfPlace(trade);
  if (trade[flag[party]] === null) return unchangedTrade(trade);
  const code = party === "buyer" ? "cancelWithdrawnByBuyer" : "cancelWithdrawnBySeller";
  return changed(trade, now, { [flag[party]]: null }, [notice(trade, code)]);
}

/**
 * The buyer has taken the goods and so goes on with the trade: what the seller had asked before is over. Else the buyer could agree
 * to it now and have the money back too.
 */
export function takeGoods(trade: Trade, now: Date): Decision {
  if (trade.sellerCancelAt === null || !cancellable(trade)) return unchangedTrade(trade);
  return changed(trade, now, { sellerCancelAt: null }, [notice(trade, "cancelLapsed")]);
}

function cancellable(trade: Trade): boolean {
  return trade.status === "payment_confirmed" || trade.status === "disputed";
}
