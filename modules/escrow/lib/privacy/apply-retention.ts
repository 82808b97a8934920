import { subYears } from "date-fns";
import { and, asc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client";
import { now } from "#db/clock";
import { type Erased, eraseEach, failWith } from "#db/erase-each";
import { defineJob } from "#db/jobs";
import { RECORD_YEARS } from "#modules/audit";
import { eraseOldWords, erasePersonal, openHoldReasons, payoutsOf, stillToSend } from "#modules/payments";
import { clearRoom } from "#modules/rooms";
import { recordChange } from "../core/carry-out-effects.ts";
import { lockTrade } from "../core/load-trade.ts";
import { disputeStatements, disputes, handConfirmations, trades } from "../core/schema.ts";
import { rulingProposals } from "../disputes/rulings/schema.ts";
import { details } from "../information/schema.ts";
import { eraseReports } from "../reports/erase-reports.ts";
import { supportRequests } from "../support/schema.ts";

defineJob("escrow.retention", () => keepRetention(now()), { cron: "55 19 * * *" });

/**
 * Erases, each night, what two years (specification §9) are over for: ended trades, requests for support, reports, and what administrators
 * wrote of money. A trade that fails keeps nothing else; at the end it throws with the numbers of those that did.
 */
export async function keepRetention(at: Date): Promise<void> {
  const before = subYears(at, RECORD_YEARS);
  const old = await eraseOldTrades(before, at);
  await db().delete(supportRequests).where(lt(supportRequests.createdAt, before));
  await eraseReports(before);
  await eraseOldWords(before);
  failWith("trades", old);
}

function eraseOldTrades(before: Date, at: Date): Promise<Erased> {
  type Over = { id: number; endedAt: Date | null };
  const next = (last: Over | undefined, most: number): Promise<Over[]> =>
    db()
      .select({ id: trades.id, endedAt: trades.endedAt })
      .from(trades)
      .where(
        and(
          lt(trades.endedAt, before),
          isNull(trades.erasedAt),
          last &&
            sql`(${trades.endedAt}, ${trades.id}) > (${last.endedAt?.toISOString()}::timestamptz, ${last.id})`,
        ),
      )
      .orderBy(asc(trades.endedAt), asc(trades.id))
      .limit(most);
  return eraseEach("trades", next, (tx, id) => eraseTrade(tx, id, at));
}

/** Erases one trade's talk and personal details, unless its money is not where it belongs or a person still has to look at it. */
async function eraseTrade(tx: Tx, id: number, at: Date): Promise<boolean> {
  const trade = await lockTrade(tx, id);
  if (trade === undefined || trade.held > 0) return false;
  if (stillToSend(await payoutsOf(tx, id)) || (await openHoldReasons(tx, id)).length > 0) return false;
  const erased = await tx
    .update(trades)
    .set({ description: null, handOverNote: null, erasedAt: at })
    .where(and(eq(trades.id, id), isNull(trades.erasedAt)))
    .returning({ id: trades.id });
  if (erased.length === 0) return false;
  await erasePersonal(tx, id, at);
  await tx.update(handConfirmations).set({ asideReason: null }).where(eq(handConfirmations.asideOf, id));
  await tx.update(rulingProposals).set({ reason: null }).where(eq(rulingProposals.tradeId, id));
  await tx.delete(details).where(eq(details.tradeId, id));
  const cases = tx.select({ id: disputes.id }).from(disputes).where(eq(disputes.tradeId, id));
  await tx.delete(disputeStatements).where(inArray(disputeStatements.disputeId, cases));
  const by = { userId: null };
  await recordChange(tx, trade, { at, by }, "erased", {});
  await clearRoom(tx, trade.roomId, by, at);
  return true;
}
