import type { Tx } from "#db/client";
import type { Payout } from "#modules/payments";
import { closeDeadline, ensureDeadline } from "../../deadlines/deadlines.ts";

// The deadline for the buyer to name a refund's account. It follows the payout records, not the trade: a refund may become due after the
// trade's end, and of money that never belonged to the trade.

/** True while a refund waits for the buyer to name an account. */
export function accountMissing(payouts: readonly Payout[]): boolean {
  return payouts.some(({ kind, state, destination }) => {
    return kind === "refund" && state === "due" && destination === null;
  });
}

/**
 * Starts the deadline with the first refund that waits for an account, and closes it once none does. `payouts` are all of the trade's in
 * their current state. Must be called wherever a refund becomes due or void, or an account is named; the caller holds the locks of the
 * trade and its deadlines.
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
