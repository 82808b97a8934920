import * as escrow from "#modules/escrow";
import type { Actor } from "#modules/identity";

/** Withdraws a dispute as the pages do: the party names the transaction's latest dispute, which it was shown. */
export async function withdrawDispute(actor: Actor, id: number) {
  return escrow.withdrawDispute(actor, id, { openedAt: await readLatestDispute(actor, id) });
}

/** Ends a dispute as the buyer's page does: the buyer confirms and names the transaction's latest dispute. */
export async function confirmInDispute(actor: Actor, id: number) {
  return escrow.confirmCompletion(actor, id, { endsDispute: await readLatestDispute(actor, id) });
}

async function readLatestDispute(actor: Actor, id: number): Promise<string | undefined> {
  const seen = await escrow.readTrade(actor, id);
  return seen.ok ? seen.trade.dispute?.openedAt : undefined;
}
