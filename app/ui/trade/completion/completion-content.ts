import { isDecidedForParties } from "../state/trade-state.ts";
import type { TradePanelProps, TradeShown } from "../types.ts";

type Reader = Pick<TradePanelProps, "trade" | "role">;

/** An item of a game changes hands in the game: the vault, made for sign-in details, comes second. */
export function isHandedOverInGame({ goods }: Pick<TradeShown, "goods">): boolean {
  return goods === "item";
}

/** True if there is a handover to confirm or a dispute to end; otherwise the buyer has to say how they received the goods. */
export function confirmsHandOver(trade: TradeShown): boolean {
  return trade.handedOver || trade.status === "disputed";
}

/** Whether the reader's confirmation is one that is never asked for: before a recorded handover, or in a dispute, which it ends. */
export function confirmsEarly({ trade, role }: Reader): boolean {
  return trade.status === "disputed" || (role === "buyer" && !confirmsHandOver(trade));
}

/** Whether a confirmation that is never asked for is possible. */
export function offersEarlyConfirmation(reader: Reader): boolean {
  return reader.trade.can.confirm && confirmsEarly(reader);
}

/** Whether the trade still takes a handover or a confirmation of the reader's that is asked for. */
export function offersCompletion(reader: Reader): boolean {
  const { can } = reader.trade;
  return can.handOver || (can.confirm && !confirmsEarly(reader));
}

/** Whether the seller has nothing to do before the buyer confirms. */
export function waitsForBuyer({ trade, role }: Reader): boolean {
  const { can, confirmed } = trade;
  const isIdle = role === "seller" && confirmed.buyer === null && !can.confirm && !can.handOver;
  return isIdle && !isDecidedForParties(trade);
}

/** Whether the step of handover and confirmation says anything: a buyer who has confirmed only waits, which the head of the trade says. */
export function hasCompletionContent(reader: Reader): boolean {
  const { trade, role } = reader;
  return (
    trade.can.handOver ||
    trade.can.confirm ||
    trade.heldForChecking ||
    trade.receivedOtherwiseAt !== null ||
    trade.handOverNote !== null ||
    (role === "buyer" && trade.vault.state === "sealed") ||
    waitsForBuyer(reader)
  );
}
