import {
  changeTrade,
  createMails,
  createNotice,
  keepTrade,
  otherParty,
  refuseCommand,
  refuseForStatus,
} from "./decision-helpers.ts";
import { endTrade } from "./end-trade.ts";
import { refundEffects } from "./trade-money.ts";
import type { CommandOf, Party, Trade } from "./trade-types.ts";

const cancellationFields = { buyer: "buyerCancelAt", seller: "sellerCancelAt" } as const;

/**
 * A party asks to cancel. If the other party has asked before, they agree, and the trade is cancelled. Refuses CANCELLATION_CHANGED if the
 * command names another request than the one that is open.
 */
export function decideCancellationRequest(
  trade: Trade,
  { agreesTo }: CommandOf<"request_cancellation">,
  party: Party,
  now: Date,
) {
  if (trade.endReason === "agreed") return keepTrade(trade);
  if (!isCancellable(trade)) return refuseForStatus(trade);
  const askedByOther = trade[cancellationFields[otherParty(party)]];
  if (agreesTo !== undefined && agreesTo?.getTime() !== askedByOther?.getTime())
    return refuseCommand("CANCELLATION_CHANGED", trade);
  if (trade[cancellationFields[party]] !== null) return keepTrade(trade);
  if (askedByOther === null) {
    const asked = party === "buyer" ? "cancelAskedByBuyer" : "cancelAskedBySeller";
    return changeTrade(trade, now, { [cancellationFields[party]]: now }, [
      createNotice(trade, asked),
      ...createMails("cancellationRequested", otherParty(party)),
    ]);
  }
  const patch = {
    ...endTrade(trade, "cancelled", "agreed", now, "cancelled"),
    [cancellationFields[party]]: now,
  };
  return changeTrade(trade, now, patch, [
    ...refundEffects(trade),
    createNotice(trade, "cancelledByBoth"),
    ...createMails("tradeCancelled", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}

/**
 * A party declines the other party's request: the trade goes on, and the other party may ask again. Refuses CANCELLATION_CHANGED if
 * another request is open than the one that the command names. A request that is gone needs no answer any more, so a repetition changes
 * nothing, unless the party has asked to cancel itself since: then it refuses CANCELLATION_CHANGED, too. The trade does not keep why a
 * request is gone, so the answer to a repetition must claim no more than that there is none.
 */
export function decideCancellationDecline(
  trade: Trade,
  { requestedAt }: CommandOf<"decline_cancellation">,
  party: Party,
  now: Date,
) {
  if (!isCancellable(trade)) return refuseForStatus(trade);
  const asker = otherParty(party);
  const askedByOther = trade[cancellationFields[asker]];
  // A party cannot decline its own request: it withdraws that.
  if (askedByOther === null && trade[cancellationFields[party]] === null) return keepTrade(trade);
  if (askedByOther?.getTime() !== requestedAt.getTime()) return refuseCommand("CANCELLATION_CHANGED", trade);
  const code = party === "buyer" ? "cancelDeclinedByBuyer" : "cancelDeclinedBySeller";
  return changeTrade(trade, now, { [cancellationFields[asker]]: null }, [
    createNotice(trade, code),
    ...createMails("cancellationDeclined", asker),
  ]);
}

/** A party withdraws its request to cancel. */
export function decideCancellationWithdrawal(trade: Trade, party: Party, now: Date) {
  if (!isCancellable(trade)) return refuseForStatus(trade);
  if (trade[cancellationFields[party]] === null) return keepTrade(trade);
  const code = party === "buyer" ? "cancelWithdrawnByBuyer" : "cancelWithdrawnBySeller";
  return changeTrade(trade, now, { [cancellationFields[party]]: null }, [createNotice(trade, code)]);
}

/**
 * The buyer has taken the goods and so continues the trade: an earlier request of the seller to cancel lapses. Otherwise the buyer could
 * agree to it now and get the money back as well.
 */
export function decideGoodsTaking(trade: Trade, now: Date) {
  if (trade.sellerCancelAt === null || !isCancellable(trade)) return keepTrade(trade);
  return changeTrade(trade, now, { sellerCancelAt: null }, [createNotice(trade, "cancelLapsed")]);
}

function isCancellable(trade: Trade): boolean {
  return trade.status === "payment_confirmed" || trade.status === "disputed";
}
