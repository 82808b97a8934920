import type { Tx } from "#db/client";
import { broadcastFrame } from "#modules/rooms";
import type { Trade } from "../machine/trade-types.ts";

/**
 * Makes every open page of a trade's room fetch the trade's cards again, once `tx` has committed. Whatever changes something that they show
 * calls this: a step of the trade itself, a payout or refund on its way, a hold, the vault. The frame says no more than the status.
 */
export function broadcastTradeUpdate(
  tx: Tx,
  { id, roomId, status }: Pick<Trade, "id" | "roomId" | "status">,
) {
  broadcastFrame(tx, roomId, { type: "transaction_update", data: { transactionId: id, status } });
}
