import { db } from "#db/client";
import { cancelInvoices, checkInvoices, isClearedByProvider, openHoldReasons } from "#modules/payments";
import { applyCommand } from "../core/apply-command.ts";
import { loadTrade, lockTrade } from "../core/load-trade.ts";
import { type RefusalCode, refuseAction, runAtomically } from "../core/outcomes.ts";
import { isUnpaid } from "../machine/decision-helpers.ts";
import { bookAnswer } from "./check-payment.ts";

const systemAuthor = { userId: null };
/** Refusals with which a trade stays open after its payment window. */
const openWindowRefusals: ReadonlySet<RefusalCode> = new Set([
  "CHECK_UNKNOWN",
  "TRADE_ON_HOLD",
  "WINDOW_OPEN",
]);

/**
 * Ends the payment window of a trade: cancels its invoices, asks the provider about each, and books what was paid. A paid trade continues.
 * An unpaid one is cancelled, and a part payment is refunded. Returns false while the provider has not answered for every invoice, or the
 * trade is on hold: it may be paid, and the caller tries again.
 */
export async function expirePayment(tradeId: number, at: Date): Promise<boolean> {
  const seen = await loadTrade(tradeId);
  if (seen === undefined || !isUnpaid(seen)) return true;
  await cancelInvoices(tradeId);
  // There may be money that no rule can book. Until a person has looked at it, asking again would only repeat this.
  if ((await openHoldReasons(db(), tradeId)).some((reason) => !isClearedByProvider(reason))) return false;
  const answer = await checkInvoices(tradeId, at, { force: true });
  const ended = await runAtomically(async (tx) => {
    const trade = await lockTrade(tx, tradeId);
    if (trade === undefined) return refuseAction("TRANSACTION_NOT_FOUND");
    const changeContext = { at, by: systemAuthor };
    const checked = await bookAnswer(tx, trade, answer, "clock", changeContext);
    if (!checked.ok) return checked;
    if (!isUnpaid(checked.trade)) return { ok: true, over: true };
    // A refusal here (an unanswered check, a hold, a window that was moved) keeps what was booked.
    const { complete } = answer;
    const over = await applyCommand(
      tx,
      checked.trade,
      { kind: "expire", complete, who: "clock" },
      changeContext,
    );
    if (!over.ok && !openWindowRefusals.has(over.code)) return over;
    return { ok: true, over: over.ok };
  });
  return ended.ok && ended.over;
}
