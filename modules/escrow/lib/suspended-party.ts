import { and, asc, isNull } from "drizzle-orm";
import type { Tx } from "#db/client";
import { postNotice } from "#modules/rooms";
import { partyIs } from "./going.ts";
import { unpaid } from "./machine/types.ts";
import { trades } from "./schema.ts";

/**
 * Tells the rooms of a person's open trades that this side cannot answer for now, or can again. The other side reads that Midman looks at the
 * trade, where the money is and what to do: neither that an administrator suspended anybody, nor why. In the caller's
 * transaction; the rooms' counters are its last locks.
 */
export async function tellSuspension(tx: Tx, userId: number, suspended: boolean, at: Date): Promise<void> {
  const open = await tx
    .select()
    .from(trades)
    .where(and(partyIs(userId), isNull(trades.endedAt)))
    .orderBy(asc(trades.roomId));
  for (const { id, roomId, code, buyerId, status } of open) {
    const params = { transactionId: id, code };
    const isBuyer = buyerId === userId;
    await postNotice(tx, { roomId, code: noticeOf(isBuyer, suspended, unpaid.includes(status)), params, at });
  }
}

function noticeOf(isBuyer: boolean, suspended: boolean, isUnpaid: boolean): string {
  if (!suspended) return isBuyer ? "buyerBack" : "sellerBack";
  if (isUnpaid) return isBuyer ? "buyerAwayUnpaid" : "sellerAwayUnpaid";
  return isBuyer ? "buyerAway" : "sellerAway";
}
