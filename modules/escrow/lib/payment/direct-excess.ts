import type { Tx } from "#db/client";
import type { AuditActor } from "#modules/audit";
import { type Payout, payoutsOf, setDestination } from "#modules/payments";
import { postNotice } from "#modules/rooms";
import { followRefunds } from "../backoffice/payouts/refund-deadlines.ts";
import { broadcastTradeUpdate } from "../core/broadcast-update.ts";
import { refundDestination } from "../information/refund-account.ts";
import type { Trade } from "../machine/trade-types.ts";
import { mailAdmins, mailParty } from "../notifications/mail-parties.ts";

// Money arrived that a trade does not owe. It is in suspense with a refund due: both parties are notified, and the trade does not change.

/** Directs the refund to the account that the buyer gave before, or asks the buyer for one. Notifies the administrators. */
export async function directExcess(
  tx: Tx,
  trade: Trade,
  found: { excess: number; refunds: readonly Payout[] },
  changeContext: { at: Date; by: AuditActor },
): Promise<void> {
  const destination = await refundDestination(tx, trade.id);
  if (destination !== null) {
    for (const { id } of found.refunds) {
      await setDestination(tx, { id, destination, recipientId: trade.buyerId, ...changeContext });
    }
  }
  const missing = await followRefunds(tx, trade.id, await payoutsOf(tx, trade.id), changeContext.at);
  if (missing !== null) {
    const moved = { refund: found.excess, payout: 0, missing };
    await mailParty(tx, trade, { to: "buyer", template: "refundAccountNeeded" }, moved);
  }
  await mailAdmins(tx, trade, "excess");
}

/** Announces the excess in the room; takes the room's counter, which is the last lock. */
export async function announceExcess(tx: Tx, trade: Trade, excess: number, at: Date): Promise<void> {
  const params = { transactionId: trade.id, code: trade.code, amount: excess };
  await postNotice(tx, { roomId: trade.roomId, code: "excessReceived", params, at });
  broadcastTradeUpdate(tx, trade);
}
