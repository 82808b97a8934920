import type { Tx } from "#db/client";
import type { Payout } from "#modules/payments";
import { closeDeadline, ensureDeadline } from "../../deadlines/deadlines.ts";

// The buyer's time to say where a refund goes. It follows the records of the money, not the trade: a refund may become due after
// the trade's end, and of money that was never the trade's.

/** True while a refund waits for the buyer to name an account. */
export function accountMissing(payouts: readonly Payout[]): boolean {
  return payouts.some(({ kind, state, destination }) => {
    return kind === "refund" && state === "due" && destination === null;
  });
}

/**
 * Starts the clock with the first refund that waits for an account, and ends it once none does: `payouts` are all of the trade's, as
 * they stand now. Told wherever a refund becomes due or void, or an account is named, by whoever holds the trade's and its clocks' locks.
 */
export async function followRefunds(
  tx: Tx,
  tradeId: number,
  payouts: readonly Payout[],
  at: Date,
): Promise<void> {
  const change = accountMissing(payouts) ? ensureDeadline : closeDeadline;
  await change(tx, tradeId, "refund_account", at);
}
