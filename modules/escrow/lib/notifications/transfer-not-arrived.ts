import type { Tx } from "#db/client";
import { findPayout, type Payout } from "#modules/payments";
import { postTradeNotice } from "../core/carry-out-effects.ts";
import type { Trade } from "../machine/trade-types.ts";
import { mailTo } from "./mail-parties.ts";

/**
 * Notifies both parties in the room, and the recipient by email, that a transfer did not arrive and is made again as `fresh`. Does nothing
 * if the parties were not notified of the first transfer. The caller holds the trade's lock; the room's counter is the last lock.
 */
export async function notifyTransferNotArrived(tx: Tx, trade: Trade, fresh: Payout, at: Date): Promise<void> {
  const { replaces, kind, amount } = fresh;
  const before = replaces === null ? null : await findPayout(tx, replaces);
  if (before === null || before.sentAt === null) return;
  await mailTo(tx, trade, kind === "refund" ? "buyer" : "seller", (reader) => ({
    template: "transferNotArrived",
    data: { ...reader, kind, amount },
  }));
  const params = { transactionId: trade.id, code: trade.code, amount };
  const code = kind === "payout" ? "payoutNotArrived" : "refundNotArrived";
  await postTradeNotice(tx, trade, { code, params, at });
}
