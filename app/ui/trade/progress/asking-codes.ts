import type { TradeShown } from "../types.ts";

type AskingTrade = Pick<
  TradeShown,
  | "status"
  | "standing"
  | "handedOver"
  | "over"
  | "heldForChecking"
  | "tradeChecked"
  | "refund"
  | "can"
  | "unavailable"
>;
type Condition = (trade: AskingTrade, role: "buyer" | "seller") => boolean;

const isUnpaid: Condition = ({ standing }) => standing.money === "waiting";
const isHeld: Condition = ({ standing, over }) =>
  !over && (standing.money === "held" || standing.money === "disputed");
const isDisputed: Condition = ({ status }) => status === "disputed";
const isPayingOut: Condition = ({ status }) => status === "settlement_pending";
const isRefunding: Condition = ({ refund }) => refund !== null && !refund.sent;
const isWithBuyer: Condition = ({ status, handedOver }) => status === "payment_confirmed" && handedOver;
const isLateWithBuyer: Condition = ({ status }) =>
  status === "exchange_completed" || status === "settlement_pending";
const isWaitingForSeller: Condition = ({ status }) => status === "exchange_completed";

/** The party cannot answer for now: once they are back, the notice asks for nothing. */
const isAway =
  (party: "buyer" | "seller", also: Condition): Condition =>
  (trade, role) =>
    trade.unavailable.includes(party) && also(trade, role);

/** A request to cancel is open that `asker` made. */
const isCancelAskedBy =
  (asker: "buyer" | "seller"): Condition =>
  ({ can }, role) =>
    role === asker ? can.withdrawCancellation : can.declineCancellation;

/** For each notice that asks for something or announces a next step: while what it says still applies. */
const askConditions: Readonly<Record<string, Condition>> = {
  markedPaid: isUnpaid,
  paymentAmended: isUnpaid,
  paymentFailed: isUnpaid,
  sellerAwayUnpaid: isAway("seller", isUnpaid),
  buyerAwayUnpaid: isAway("buyer", isUnpaid),
  sellerAway: isAway("seller", isHeld),
  buyerAway: isAway("buyer", isHeld),
  paymentHoldEnded: ({ over }) => !over,
  paymentOnHold: ({ heldForChecking }) => heldForChecking,
  tradeOnHold: ({ tradeChecked }) => tradeChecked,
  handedOver: isWithBuyer,
  handedOverByVault: isWithBuyer,
  vaultSealedAnew: isWithBuyer,
  handedOverLate: isLateWithBuyer,
  handedOverByVaultLate: isLateWithBuyer,
  buyerConfirmed: isWaitingForSeller,
  buyerReceivedOtherwise: isWaitingForSeller,
  sellerConfirmed: isPayingOut,
  adminPaysSeller: isPayingOut,
  ruledRelease: isPayingOut,
  ruledRefund: isRefunding,
  cancelledByBoth: isRefunding,
  cancelAskedByBuyer: isCancelAskedBy("buyer"),
  cancelAskedBySeller: isCancelAskedBy("seller"),
  disputeOpenedByBuyer: isDisputed,
  disputeOpenedBySeller: isDisputed,
  disputeExplainedByBuyer: isDisputed,
  disputeExplainedBySeller: isDisputed,
  disputeTaken: isDisputed,
  disputeGivenBack: isDisputed,
};

/**
 * The codes of the notices whose second sentence still applies to the trade as it is now, separated by spaces. Every other notice shows
 * only what happened: an instruction that is out of date could make somebody pay or hand over twice.
 */
export function findAskingCodes(trade: AskingTrade | null, role: "buyer" | "seller"): string {
  if (trade === null) return "";
  return Object.keys(askConditions)
    .filter((code) => askConditions[code]?.(trade, role))
    .join(" ");
}
