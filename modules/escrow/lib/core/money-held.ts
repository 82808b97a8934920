import type { Executor } from "#db/client";
import { heldAmount, isMoneyStillToSend, payoutsOf } from "#modules/payments";

/** True while Midman holds money of a trade, or a payout or refund of it is still to be sent or in doubt. Refunds from suspense count. */
export async function holdsMoney(exec: Executor, tradeId: number): Promise<boolean> {
  if ((await heldAmount(exec, tradeId)) > 0) return true;
  return isMoneyStillToSend(await payoutsOf(exec, tradeId));
}
