import { formatMoney } from "#format";
import type { HandOverState } from "../../../islands/room/types.ts";
import {
  isPaidAgain,
  isPaidInPart,
  isSplit,
  isStopped,
  isTransferStopped,
  moneyStatusOf,
  type StateFacts,
} from "../state/trade-state.ts";
import type { TradeShown } from "../types.ts";
import type { MoneyStatus } from "./money-state.tsx";

type Side = "buyer" | "seller";

/** The fields that the texts depend on; the list of rooms has no others. */
type TradeAmounts = Omit<StateFacts, "turn"> & Pick<TradeShown, "gross" | "payoutSent">;
type TradeTurn = StateFacts & Pick<TradeShown, "over">;

/** An amount inside a sentence, with a non-breaking space before the ₮ sign. */
export function formatInlineMoney(amount: number): string {
  return formatMoney(amount).replaceAll(" ", "\u00a0");
}

/** The state of the notice that tells the seller to hand over. */
export function handOverOf(
  trade: Pick<TradeShown, "status" | "standing" | "handedOver" | "heldForChecking"> | null,
): HandOverState {
  if (trade?.status === "cancelled" || trade?.status === "disputed") return trade.status;
  if (trade?.status === "completed" && trade.standing.money !== "held") return "ended";
  if (trade?.heldForChecking) return "checking";
  return trade?.status === "payment_confirmed" && !trade.handedOver ? "applies" : "over";
}

/**
 * The state in one word. A cancelled trade is neither in progress nor completed; a completed one is in progress again while a transfer that
 * did not arrive is repeated.
 */
export function progressGroupOf({
  status,
  standing,
}: Pick<TradeShown, "status" | "standing">): "inProgress" | "completed" | "cancelled" {
  if (status === "cancelled") return "cancelled";
  return status === "completed" && !isPaidAgain({ status, standing }) ? "completed" : "inProgress";
}

/** Whose turn it is: `own` if it is the reader's; `turn` is the key below `trade.turn` or `trade.yourTurn`. */
export function turnForRole(trade: TradeTurn, role: Side): { own: boolean; turn: string } {
  const turn = currentTurn(trade);
  // The seller reads of their own money.
  return {
    own: turn.startsWith(role),
    turn: turn === "admin_pays" && role === "seller" ? "admin_pays_you" : turn,
  };
}

function currentTurn(trade: TradeTurn): string {
  if (isStopped(trade) || isTransferStopped(trade)) return trade.tradeChecked ? "checking_trade" : "checking";
  if (trade.turn === "none" && trade.status === "cancelled") return "cancelled";
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
  state: MoneyStatus;
  /** The key of the word that replaces the usual one of `state`, where that would describe the other party's money. */
  word: string | null;
  /** The reader's amount, with the key of its label; null if there is none. */
  amount: { label: string; sum: string } | null;
}

/**
 * What the reader pays, gets or gets back in a trade, and where that money is. Every page, row and strip takes both from here: of money that
 * a ruling has split, the two sides have different parts. A strip and a row have the word and the amount beside each other, without a label.
 */
export function moneyForRole(trade: TradeAmounts, role: Side): RoleMoney {
  const state = moneyStatusOf(trade);
  if (role === "buyer" && trade.refund && isSplit(trade)) {
    const isOver = trade.status === "completed" && state === "released";
    return {
      state: isOver || trade.refund.sent ? "returned" : "refunding",
      word: null,
      amount: refundAmount(trade.refund, role),
    };
  }
  // The parts of a split are sent one by one.
  if (role === "seller" && trade.payoutSent && isSplit(trade))
    return { state: "released", word: null, amount: sellersAmount(trade, "released") };
  return { state, word: wordsByRole[role][state] ?? null, amount: amountForRole(trade, role) };
}

/** The buyer's payment was not paid out to them, and a refund does not go to the seller. */
const wordsByRole: Record<Side, Partial<Record<MoneyStatus, string>>> = {
  buyer: { released: "status.completed" },
  seller: { refunding: "trade.chip.toBuyer.refunding", returned: "trade.chip.toBuyer.returned" },
};

function refundAmount(refund: NonNullable<TradeAmounts["refund"]>, role: Side): RoleMoney["amount"] {
  return {
    label: `history.refund.${role}.${refund.sent ? "sent" : "due"}`,
    sum: formatMoney(refund.amount),
  };
}

function sellersAmount({ toSeller }: TradeAmounts, state: MoneyStatus): RoleMoney["amount"] {
  return { label: state === "released" ? "trade.sum.got" : "trade.sum.get", sum: formatMoney(toSeller) };
}

function amountForRole(trade: TradeAmounts, role: Side): RoleMoney["amount"] {
  const { money: state } = trade.standing;
  if (state === "none") return null;
  if (trade.status === "cancelled") return trade.refund && refundAmount(trade.refund, role);
  if (state === "disputed") return { label: "trade.sum.disputed", sum: formatMoney(trade.gross) };
  if (role === "seller") return sellersAmount(trade, state);
  if (isPaidInPart(trade)) return { label: "trade.rest", sum: formatMoney(trade.gross - trade.booked) };
  return { label: state === "waiting" ? "trade.sum.pay" : "trade.sum.paid", sum: formatMoney(trade.gross) };
}
