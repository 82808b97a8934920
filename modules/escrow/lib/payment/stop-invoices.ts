import type { Tx } from "#db/client";
import { defineJob } from "#db/jobs";
import { cancelInvoices } from "#modules/payments";
import { loadTrade } from "../core/load-trade.ts";
import { isUnpaid } from "../machine/decision-helpers.ts";

const stopInvoicesJob = defineJob<{ tradeId: number }>("escrow.stop-invoices", ({ tradeId }) =>
  cancelTradeInvoices(tradeId),
);

/** Has every invoice of a trade withdrawn at the provider once `tx` is committed. */
export async function stopInvoices(tx: Tx, tradeId: number): Promise<void> {
  await stopInvoicesJob.enqueue(tx, { tradeId }, { key: `trade:${tradeId}` });
}

/** A trade that is still to be paid keeps its invoice: whoever gives such a trade a new one ends the old. */
async function cancelTradeInvoices(tradeId: number): Promise<void> {
  const trade = await loadTrade(tradeId);
  if (trade !== undefined && !isUnpaid(trade)) await cancelInvoices(tradeId);
}
