import { and, asc, isNull, lt } from "drizzle-orm";
import type { Tx } from "#db/client";
import { postNotice } from "#modules/rooms";
import { broadcastTradeUpdate } from "../core/broadcast-update.ts";
import { tradesTable } from "../core/schema.ts";
import { unpaidStatuses } from "../machine/trade-types.ts";
import { matchParty } from "../privacy/account-deletion-guard.ts";

/**
 * Posts a notice in the rooms of a person's open trades that this party cannot answer for now, or can again. It tells the other party that Midman
 * is looking at the trade, where the money is and what to do, and does not mention the suspension or its cause. With `begunBefore`, only trades
 * that began before that moment. The rooms' counters must be the last locks of the caller's transaction.
 */
export async function notifySuspension(
  tx: Tx,
  userId: number,
  suspended: boolean,
  at: Date,
  begunBefore?: Date,
): Promise<void> {
  const begun = begunBefore && lt(tradesTable.createdAt, begunBefore);
  const open = await tx
    .select()
    .from(tradesTable)
    .where(and(matchParty(userId), isNull(tradesTable.endedAt), begun))
    .orderBy(asc(tradesTable.roomId));
  for (const { id, roomId, code, buyerId, status } of open) {
    const params = { transactionId: id, code };
    const isBuyer = buyerId === userId;
    await postNotice(tx, {
      roomId,
      code: noticeOf(isBuyer, suspended, unpaidStatuses.includes(status)),
      params,
      at,
    });
    // What a party who is away is asked for is no longer asked.
    broadcastTradeUpdate(tx, { id, roomId, status });
  }
}

function noticeOf(isBuyer: boolean, suspended: boolean, isUnpaid: boolean): string {
  if (!suspended) return isBuyer ? "buyerBack" : "sellerBack";
  if (isUnpaid) return isBuyer ? "buyerAwayUnpaid" : "sellerAwayUnpaid";
  return isBuyer ? "buyerAway" : "sellerAway";
}
