import type { Tx } from "#db/client";
import { broadcast, postNotice } from "#modules/rooms";
import type { Trade } from "./machine/types.ts";
import { mailAdmins, mailParty } from "./mails.ts";

// Money that a trade does not owe came in and lies in suspense, its refund due: people are told, the trade stays.

/** Asks the buyer where it is to go back to, and tells the administrators. */
export async function mailExcess(tx: Tx, trade: Trade, excess: number): Promise<void> {
  await mailParty(tx, trade, { to: "buyer", template: "refundAccountNeeded" }, { refund: excess, payout: 0 });
  await mailAdmins(tx, trade, "excess");
}

/** Says so in the room; takes the room's counter, the last lock. */
export async function sayExcess(tx: Tx, trade: Trade, excess: number, at: Date): Promise<void> {
  const params = { transactionId: trade.id, code: trade.code, amount: excess };
  await postNotice(tx, { roomId: trade.roomId, code: "excessReceived", params, at });
  const data = { transactionId: trade.id, status: trade.status };
  broadcast(tx, trade.roomId, { type: "transaction_update", data });
}
