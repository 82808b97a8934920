import type { MoneyStatus } from "../progress/money-state.tsx";
import type { TradeShown } from "../types.ts";

/** The fields that decide the state of a trade; the lists of rooms and transactions have no others. */
export type StateFacts = Pick<
  TradeShown,
  "status" | "standing" | "turn" | "net" | "booked" | "toSeller" | "refund"
> &
  Partial<Pick<TradeShown, "heldForChecking" | "tradeChecked">>;

/**
 * The state of a trade in words: its status, or a more precise state. Every page, sheet and list takes it from here: `status.<state>` is its
 * label, and `bannerOf` has the same as a sentence.
 */
export function tradeStateOf(trade: StateFacts): string {
  if (trade.status === "cancelled") return cancelledState(trade);
  const isUnpaid = trade.heldForChecking && trade.standing.money === "waiting";
  if (isUnpaid || isStopped(trade) || isTransferStopped(trade)) {
    if (trade.tradeChecked) return "trade_checked";
    return isUnpaid ? "held_for_checking" : "paid_but_checked";
  }
  if (isPaidInPart(trade)) return "part_paid";
  if (awaitsCancelAnswer(trade)) return trade.heldForChecking ? "cancel_asked_checked" : "cancel_asked";
  if (trade.status === "payment_confirmed" && trade.standing.done.includes("handedOver"))
    return "handed_over";
  if (isSplit(trade)) return trade.status === "completed" ? "completed_split" : "paying_parts";
  if (isDecidedForParties(trade)) return "paying_out";
  if (isPaidAgain(trade)) return "paying_again";
  return trade.status === "completed" && trade.standing.ended ? "closed" : trade.status;
}

/** States whose sentence would only repeat whose turn it is, which every page says beside it. */
const statesWithoutBanner: ReadonlySet<string> = new Set(["payment_initiated", "payment_processing"]);

/** States whose sentence speaks to each side of itself: `trade.banner.<state>.<role>`. */
const statesByRole: ReadonlySet<string> = new Set([
  "initiated",
  "payment_pending",
  "payment_failed",
  "part_paid",
  "held_for_checking",
  "payment_confirmed",
  "handed_over",
  "exchange_completed",
  "settlement_pending",
  "paying_out",
  "completed",
  "cancelled_refunding",
  "cancelled_refunded",
]);

/** The key of the sentence that describes a trade's state to one party; null if the trade's head already says the same. */
export function bannerOf(trade: StateFacts, role: "buyer" | "seller"): string | null {
  const state = tradeStateOf(trade);
  if (statesWithoutBanner.has(state)) return null;
  return statesByRole.has(state) ? `trade.banner.${state}.${role}` : `trade.banner.${state}`;
}

/** A party has asked to cancel, and the other one has to answer before anything else is asked of them. */
export function awaitsCancelAnswer({ turn }: Pick<StateFacts, "turn">): boolean {
  return turn === "buyer_answer_cancel" || turn === "seller_answer_cancel";
}

/** The text key of the label that stands after the last step of a trade that ended before all of them were done. */
export function endLabelOf(trade: StateFacts): string {
  return `status.${trade.status === "cancelled" ? trade.status : tradeStateOf(trade)}`;
}

function cancelledState(trade: StateFacts): string {
  if (trade.heldForChecking) return "cancelled_checked";
  const money = moneyStatusOf(trade);
  if (money === "refunding") return "cancelled_refunding";
  return money === "returned" ? "cancelled_refunded" : "cancelled";
}

/** Where a trade's money is. What Midman holds of a cancelled trade is no longer held for the trade: it is refunded. */
export function moneyStatusOf({
  status,
  standing,
}: {
  status: string;
  standing: { money: TradeShown["standing"]["money"] };
}): MoneyStatus {
  return status === "cancelled" && standing.money === "held" ? "refunding" : standing.money;
}

/** Part of the price has arrived and the rest is still due. */
export function isPaidInPart(trade: Pick<TradeShown, "standing" | "booked">): boolean {
  return trade.standing.money === "waiting" && trade.booked > 0;
}

/** A ruling divided the money: the seller gets less than the net price, and the buyer a refund. */
export function isSplit({
  status,
  refund,
  toSeller,
  net,
}: Pick<TradeShown, "status" | "refund" | "toSeller" | "net">): boolean {
  const isPaying = status === "settlement_pending" || status === "completed";
  return isPaying && refund !== null && toSeller < net;
}

/** A payout that the parties were told of did not arrive: the trade is complete, but its money is still held. */
export function isPaidAgain({ status, standing }: Pick<TradeShown, "status" | "standing">): boolean {
  return status === "completed" && standing.money === "held";
}

/** A payout that the parties did not both confirm: an administrator, a ruling or the buyer in a dispute decided it. */
export function isDecidedForParties({ status, standing }: Pick<TradeShown, "status" | "standing">): boolean {
  return status === "settlement_pending" && !standing.done.includes("confirmed");
}

/** Turns that stop while a payment is checked: nobody may be asked to pay or to hand over. */
const stopsForChecking: ReadonlySet<string> = new Set(["buyer_pay", "seller_hand_over"]);

export function isStopped({ turn, heldForChecking }: Pick<StateFacts, "turn" | "heldForChecking">): boolean {
  return heldForChecking === true && stopsForChecking.has(turn);
}

/** True while a hold stops a transfer of the money. It does not stop the ruling of a dispute. */
export function isTransferStopped({
  turn,
  status,
  heldForChecking,
}: Pick<StateFacts, "turn" | "status" | "heldForChecking">): boolean {
  return heldForChecking === true && turn === "admin" && status !== "disputed";
}
