import { formatMoney } from "#format";
import type { HandOverState } from "../../../islands/room/types.ts";
import type { TradeShown } from "../types.ts";

type Side = "buyer" | "seller";

/** The fields that the texts depend on; the list of rooms has no others. */
type TradeAmounts = Pick<
  TradeShown,
  "status" | "standing" | "gross" | "net" | "booked" | "toSeller" | "refund"
>;
type TradeTurn = TradeAmounts &
  Pick<TradeShown, "turn" | "over"> &
  Partial<Pick<TradeShown, "heldForChecking" | "tradeChecked">>;

/** An amount inside a sentence, with a non-breaking space before the ₮ sign. */
export function formatInlineMoney(amount: number): string {
  return formatMoney(amount).replaceAll(" ", "\u00a0");
}

/** Part of the price has arrived and the rest is still due. */
export function isPaidInPart(trade: Pick<TradeShown, "standing" | "booked">): boolean {
  return trade.standing.money === "waiting" && trade.booked > 0;
}

/** The headline's key below `trade.banner`: the status, or a more precise state. */
export function bannerOf(trade: TradeShown): string {
  const isUnpaid = trade.heldForChecking && trade.standing.money === "waiting";
  if (isUnpaid || isStopped(trade) || isTransferStopped(trade)) {
    if (trade.tradeChecked) return "trade_checked";
    return isUnpaid ? "held_for_checking" : "paid_but_checked";
  }
  if (isPaidInPart(trade)) return "part_paid";
  if (trade.status === "payment_confirmed" && trade.handedOver) return "handed_over";
  if (isSplit(trade)) return trade.status === "completed" ? "completed_split" : "paying_parts";
  if (isDecidedForParties(trade)) return "paying_out";
  if (isPaidAgain(trade)) return "paying_again";
  return trade.status;
}

/** A ruling divided the money: the seller gets less than the net price, and the buyer a refund. */
function isSplit({
  status,
  refund,
  toSeller,
  net,
}: Pick<TradeShown, "status" | "refund" | "toSeller" | "net">): boolean {
  const isPaying = status === "settlement_pending" || status === "completed";
  return isPaying && refund !== null && toSeller < net;
}

/** A payout that the parties were told of did not arrive: the trade is complete, but its money is still held. */
function isPaidAgain({ status, standing }: Pick<TradeShown, "status" | "standing">): boolean {
  return status === "completed" && standing.money === "held";
}

/** The state of the notice that tells the seller to hand over. */
export function handOverOf(
  trade: Pick<TradeShown, "status" | "handedOver" | "heldForChecking"> | null,
): HandOverState {
  if (trade?.status === "cancelled" || trade?.status === "disputed") return trade.status;
  if (trade?.heldForChecking) return "checking";
  return trade?.status === "payment_confirmed" && !trade.handedOver ? "applies" : "over";
}

/** A payout that the parties did not both confirm: an administrator, a ruling or the buyer in a dispute decided it. */
export function isDecidedForParties({
  status,
  confirmed,
}: Pick<TradeShown, "status" | "confirmed">): boolean {
  return status === "settlement_pending" && (confirmed.buyer === null || confirmed.seller === null);
}

/** Whose turn it is: `own` if it is the reader's; `turn` is the key below `trade.turn` or `trade.yourTurn`. */
export function turnForRole(trade: TradeTurn, role: Side): { own: boolean; turn: string } {
  const turn = currentTurn(trade);
  return { own: turn.startsWith(role), turn };
}

/** Turns that stop while a payment is checked: nobody may be asked to pay or to hand over. */
const stopsForChecking: ReadonlySet<string> = new Set(["buyer_pay", "seller_hand_over"]);

function isStopped({ turn, heldForChecking }: Pick<TradeTurn, "turn" | "heldForChecking">): boolean {
  return heldForChecking === true && stopsForChecking.has(turn);
}

/** True while a hold stops a transfer of the money. It does not stop the ruling of a dispute. */
function isTransferStopped({
  turn,
  status,
  heldForChecking,
}: Pick<TradeTurn, "turn" | "status" | "heldForChecking">): boolean {
  return heldForChecking === true && turn === "admin" && status !== "disputed";
}

function currentTurn(trade: TradeTurn): string {
  if (isStopped(trade) || isTransferStopped(trade)) return trade.tradeChecked ? "checking_trade" : "checking";
  return trade.turn === "admin" ? administratorTurn(trade) : payingTurn(trade);
}

const clockOfTurn: Readonly<Record<string, string>> = {
  buyer_pay: "payment_window",
  seller_hand_over: "hand_over",
  buyer_confirm: "buyer_finish",
  seller_confirm: "seller_finish",
  seller_destination: "seller_finish",
  buyer_refund_account: "refund_account",
  buyer_explain: "dispute_statements",
  seller_explain: "dispute_statements",
};

/** The clocks to show; while the payment is checked none asks for a payment, a handover or a transfer. */
export function visibleClocks(trade: TradeClocks): TradeShown["clocks"] {
  const stopped = pausedClockKind(trade);
  return trade.clocks.filter(({ kind }) => kind !== stopped);
}

function pausedClockKind(trade: TradeClocks): string | undefined {
  if (isTransferStopped(trade)) return "payout";
  return isStopped(trade) ? clockOfTurn[trade.turn] : undefined;
}

type TradeClocks = Pick<TradeShown, "turn" | "status" | "clocks"> &
  Partial<Pick<TradeShown, "heldForChecking">>;

/** The clock of the current turn; undefined if none runs. */
export function findTurnClock(trade: TradeClocks) {
  const { turn, status } = trade;
  const midmans = status === "disputed" ? "dispute_ruling" : "payout";
  const kind = turn === "admin" ? midmans : clockOfTurn[turn];
  return visibleClocks(trade).find((clock) => clock.kind === kind);
}

function payingTurn(trade: TradeTurn): string {
  if (trade.turn !== "buyer_pay") return trade.turn;
  if (isPaidInPart(trade)) return "buyer_pay_rest";
  if (trade.status === "payment_failed") return "buyer_pay_again";
  if (trade.status === "payment_pending") return "buyer_pay_pending";
  return trade.status === "payment_processing" ? "checking" : trade.turn;
}

function administratorTurn(trade: TradeTurn): string {
  if (trade.status === "settlement_pending") return isSplit(trade) ? "admin_pays_parts" : "admin_pays";
  if (trade.status === "disputed") return "admin_rules";
  if (isPaidAgain(trade)) return "admin_pays_again";
  return trade.over && trade.refund && !trade.refund.sent ? "admin_refunds" : "admin";
}

/** A reader's own part of a trade's money. */
export interface RoleMoney {
  /** Where the money that concerns the reader is. */
  state: TradeShown["standing"]["money"];
  /** The reader's amount, with the key of its label; null if there is none. */
  amount: { label: string; sum: string } | null;
}

/**
 * What the reader pays, gets or gets back in a trade, and where that money is. Every page, row and strip takes both from here: of money that
 * a ruling has split, the two sides have different parts.
 */
export function moneyForRole(trade: TradeAmounts, role: Side): RoleMoney {
  const state = trade.standing.money;
  if (role === "buyer" && trade.refund && isSplit(trade)) {
    const isOver = trade.status === "completed" && state === "released";
    return {
      state: isOver || trade.refund.sent ? "returned" : "held",
      amount: refundAmount(trade.refund, role),
    };
  }
  return { state, amount: amountForRole(trade, role) };
}

function refundAmount(refund: NonNullable<TradeAmounts["refund"]>, role: Side): RoleMoney["amount"] {
  return {
    label: `history.refund.${role}.${refund.sent ? "sent" : "due"}`,
    sum: formatMoney(refund.amount),
  };
}

function amountForRole(trade: TradeAmounts, role: Side): RoleMoney["amount"] {
  const { money: state } = trade.standing;
  if (state === "none") return null;
  if (trade.status === "cancelled") return trade.refund && refundAmount(trade.refund, role);
  if (state === "disputed") return { label: "trade.sum.disputed", sum: formatMoney(trade.gross) };
  if (role === "seller") {
    return {
      label: state === "released" ? "trade.sum.got" : "trade.sum.get",
      sum: formatMoney(trade.toSeller),
    };
  }
  if (isPaidInPart(trade)) return { label: "trade.rest", sum: formatMoney(trade.gross - trade.booked) };
  return { label: state === "waiting" ? "trade.sum.pay" : "trade.sum.paid", sum: formatMoney(trade.gross) };
}
