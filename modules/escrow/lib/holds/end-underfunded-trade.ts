import type { Tx } from "#db/client";
import { heldAmount, openHoldReasons, readReceivedAmount } from "#modules/payments";
import { applyCommand } from "../core/apply-command.ts";
import type { ChangeContext } from "../core/carry-out-effects.ts";
import type { TradeRefusal, TradeResult } from "../core/outcomes.ts";
import type { Trade } from "../machine/trade-types.ts";

/**
 * Cancels a paid trade from which the provider took money back, once no hold is open: the rest is refunded to the buyer. Changes no other
 * trade, and none that is on hold.
 */
export async function endUnderfundedTrade(
  tx: Tx,
  trade: Trade,
  changeContext: ChangeContext,
): Promise<TradeResult | TradeRefusal<"MONEY_ALREADY_SENT" | "PAYOUT_EXCEEDS_HELD">> {
  const now = { ...trade, held: await heldAmount(tx, trade.id), holds: await openHoldReasons(tx, trade.id) };
  const mayEnd = trade.endedAt === null && trade.confirmedAt !== null && now.holds.length === 0;
  if (!mayEnd || (await readReceivedAmount(tx, trade.id)) >= trade.gross)
    return { ok: true, changed: true, trade: now };
  const done = await applyCommand(tx, now, { kind: "cancel", ourFault: true, who: "admin" }, changeContext);
  if (done.ok) return done;
  if (done.code === "TRADE_OVERTAKEN" || done.code === "TRADE_ON_HOLD")
    throw new Error(`escrow: trade ${trade.id} has neither ended nor a hold: ${done.code}`);
  return { ...done, code: done.code };
}
