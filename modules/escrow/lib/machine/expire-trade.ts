import {
  changeTrade,
  createMails,
  createNotice,
  isUnpaid,
  keepTrade,
  refuseCommand,
} from "./decision-helpers.ts";
import { endTrade } from "./end-trade.ts";
import { refundEffects } from "./trade-money.ts";
import type { CommandOf, Trade } from "./trade-types.ts";

/**
 * The payment window is over and the check of every invoice was answered: the trade is cancelled, and what was received is refunded in
 * full. While one check is unanswered the trade stays open, because it may be paid.
 */
export function decideExpiry(trade: Trade, command: CommandOf<"expire">, now: Date) {
  if (trade.endReason === "expired") return keepTrade(trade);
  if (!isUnpaid(trade)) return refuseCommand("TRADE_OVERTAKEN", trade);
  const due = trade.deadlines.payment_window?.dueAt;
  if (due === undefined || due > now) return refuseCommand("WINDOW_OPEN", trade);
  if (!command.complete) return refuseCommand("CHECK_UNKNOWN", trade);
  return changeTrade(trade, now, endTrade(trade, "cancelled", "expired", now), [
    ...refundEffects(trade),
    { kind: "cancel_invoices" },
    createNotice(trade, "paymentExpired"),
    ...createMails("tradeCancelled", "buyer", "seller"),
    { kind: "end_room" },
  ]);
}
