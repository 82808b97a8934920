import type { Executor } from "#db/client";
import { payoutsOf } from "#modules/payments";

/** True while a payout or refund of a trade's held money is approved: somebody may be making its transfer at this moment. */
export async function transferUnderWay(exec: Executor, tradeId: number): Promise<boolean> {
  const all = await payoutsOf(exec, tradeId);
  return all.some(({ source, state }) => source === "escrow" && state === "approved");
}
