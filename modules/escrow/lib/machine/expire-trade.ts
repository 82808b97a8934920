import { changed, isUnpaid, mail, notice, refuseCommand, unchangedTrade } from "./decision-helpers.ts";
import { ended } from "./end-trade.ts";
import { refundOf } from "./trade-money.ts";
import type { Command, Decision, Trade } from "./trade-types.ts";

/**
 * The payment window is over and every invoice's check was answered: the trade is cancelled and what came in goes back
 * whole. While one check is unknown the trade stays, for it may be paid.
 */
export function expire(trade: Trade, command: Extract<Command, { kind: "expire" }>, now: Date): Decision {
  if (trade.endReason === "expired") return unchangedTrade(trade);
  if (!isUnpaid(trade)) return refuseCommand("TRADE_OVERTAKEN", trade);
  const due = trade.deadlines.payment_window?.dueAt;
  if (due === undefined || due > now) return refuseCommand("WINDOW_OPEN", trade);
  if (!command.complete) return refuseCommand("CHECK_UNKNOWN", trade);
  return changed(trade, now, ended(trade, "cancelled", "expired", now), [
    ...refundOf(trade),
    { kind: "cancel_invoices" },
    notice(trade, "paymentExpired"),
    ...mail("tradeCancelled", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}
