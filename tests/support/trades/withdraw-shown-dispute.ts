import * as escrow from "#modules/escrow";
import type { Actor } from "#modules/identity";

/** Withdraws a dispute as the pages do: the party names the transaction's latest dispute, which it was shown. */
export async function withdrawDispute(actor: Actor, id: number) {
  const seen = await escrow.readTrade(actor, id);
  const openedAt = seen.ok ? seen.trade.dispute?.openedAt : undefined;
  return escrow.withdrawDispute(actor, id, { openedAt });
}
