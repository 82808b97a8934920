import { z } from "zod";
import type { Tx } from "#db/client";
import { defineJob } from "#db/jobs";
import { cancelInvoices } from "#modules/payments";
import { loadTrade } from "../core/load-trade.ts";
import { isUnpaid } from "../machine/decision-helpers.ts";

const stopInvoicesJob = defineJob("escrow.stop-invoices", z.object({ tradeId: z.int() }), ({ tradeId }) =>
  cancelTradeInvoices(tradeId),
);

/** Enqueues a job that cancels every invoice of a trade at the provider once `tx` is committed. */
export async function stopInvoices(tx: Tx, tradeId: number): Promise<void> {
  await stopInvoicesJob.enqueue(tx, { tradeId }, { key: `trade:${tradeId}` });
}

/** Cancels nothing for a trade that still waits for payment: there, a new invoice replaces the one before. */
async function cancelTradeInvoices(tradeId: number): Promise<void> {
  const trade = await loadTrade(tradeId);
  if (trade !== undefined && !isUnpaid(trade)) await cancelInvoices(tradeId);
}
