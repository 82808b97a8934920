import type { Executor } from "#db/client";
import { type Payout, payoutsOf } from "#modules/payments";

/** The approved payouts and refunds of a trade's escrow whose transfer an administrator is making: Midman cannot stop those. */
export async function findClaimedPayouts(
  exec: Executor,
  tradeId: number,
): Promise<Array<Payout & { claimedBy: number }>> {
  const all = await payoutsOf(exec, tradeId);
  return all.flatMap((one) => {
    const { source, state, claimedBy } = one;
    return source === "escrow" && state === "approved" && claimedBy !== null ? [{ ...one, claimedBy }] : [];
  });
}
