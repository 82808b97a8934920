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

/** That a refund waits for its account: `by` is when the buyer must have added it, null once that time has passed. */
export type MissingAccount = { by: Date | null };

/**
 * Starts the deadline with the first refund that waits for an account, and closes it once none does. `payouts` are all of the trade's in
 * their current state. Must be called wherever a refund becomes due or void, or an account is named; the caller holds the locks of the
 * trade and its deadlines. Returns what a mail to the buyer asks for, null if no refund waits for an account.
 */
export async function followRefunds(
  tx: Tx,
  tradeId: number,
  payouts: readonly Payout[],
  at: Date,
): Promise<MissingAccount | null> {
  if (!accountMissing(payouts)) {
    await closeDeadline(tx, tradeId, "refund_account", at);
    return null;
  }
  const by = await ensureDeadline(tx, tradeId, "refund_account", at);
  return { by: by > at ? by : null };
}
