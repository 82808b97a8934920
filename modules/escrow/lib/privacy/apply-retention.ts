import { subYears } from "date-fns/subYears";
import { and, asc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { type ErasureOutcome, eraseEach, throwIfFailed } from "#db/jobs/erase-in-batches";
import { RECORD_YEARS } from "#modules/audit";
import {
  eraseOldAdministratorNotes,
  erasePersonalPaymentData,
  isMoneyStillToSend,
  openHoldReasons,
  payoutsOf,
} from "#modules/payments";
import { clearRoom } from "#modules/rooms";
import { recordChange } from "../core/carry-out-effects.ts";
import { lockTrade } from "../core/load-trade.ts";
import { disputeStatementsTable, disputesTable, manualPaymentsTable, tradesTable } from "../core/schema.ts";
import { rulingProposalsTable } from "../disputes/rulings/schema.ts";
import { detailsTable } from "../information/schema.ts";
import { eraseReports } from "../reports/erase-reports.ts";
import { supportRequestsTable } from "../support/schema.ts";

defineJob("escrow.retention", () => applyRetention(currentTime()), { cron: "55 19 * * *" });

/**
 * Erases each night what is older than two years: ended trades, support requests, reports, and what administrators wrote about money. A
 * trade that fails does not stop the rest; at the end it throws with the ids of those that failed.
 */
export async function applyRetention(at: Date): Promise<void> {
  const before = subYears(at, RECORD_YEARS);
  const old = await eraseOldTrades(before, at);
  await db().delete(supportRequestsTable).where(lt(supportRequestsTable.createdAt, before));
  await eraseReports(before);
  await eraseOldAdministratorNotes(before);
  throwIfFailed("trades", old);
}

function eraseOldTrades(before: Date, at: Date): Promise<ErasureOutcome> {
  type Over = { id: number; endedAt: Date | null };
  const next = (last: Over | undefined, most: number): Promise<Over[]> =>
    db()
      .select({ id: tradesTable.id, endedAt: tradesTable.endedAt })
      .from(tradesTable)
      .where(
        and(
          lt(tradesTable.endedAt, before),
          isNull(tradesTable.erasedAt),
          last &&
            sql`(${tradesTable.endedAt}, ${tradesTable.id}) > (${last.endedAt?.toISOString()}::timestamptz, ${last.id})`,
        ),
      )
      .orderBy(asc(tradesTable.endedAt), asc(tradesTable.id))
      .limit(most);
  return eraseEach("trades", next, (tx, id) => eraseTrade(tx, id, at));
}

/**
 * Erases the messages and personal details of one trade. Returns false, and erases nothing, while its money is not where it belongs or a
 * hold is open.
 */
async function eraseTrade(tx: Tx, id: number, at: Date): Promise<boolean> {
  const trade = await lockTrade(tx, id);
  if (trade === undefined || trade.held > 0) return false;
  if (isMoneyStillToSend(await payoutsOf(tx, id)) || (await openHoldReasons(tx, id)).length > 0) return false;
  const erased = await tx
    .update(tradesTable)
    .set({ description: null, handOverNote: null, erasedAt: at })
    .where(and(eq(tradesTable.id, id), isNull(tradesTable.erasedAt)))
    .returning({ id: tradesTable.id });
  if (erased.length === 0) return false;
  await erasePersonalPaymentData(tx, id, at);
  await tx
    .update(manualPaymentsTable)
    .set({ discardReason: null })
    .where(eq(manualPaymentsTable.discardedFrom, id));
  await tx.update(rulingProposalsTable).set({ reason: null }).where(eq(rulingProposalsTable.tradeId, id));
  await tx.delete(detailsTable).where(eq(detailsTable.tradeId, id));
  const cases = tx.select({ id: disputesTable.id }).from(disputesTable).where(eq(disputesTable.tradeId, id));
  await tx.delete(disputeStatementsTable).where(inArray(disputeStatementsTable.disputeId, cases));
  const by = { userId: null };
  await recordChange(tx, trade, { at, by }, "erased", {});
  await clearRoom(tx, trade.roomId, by, at);
  return true;
}
