import { subYears } from "date-fns";
import { and, asc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { log } from "#db/log";
import { RECORD_YEARS } from "#modules/audit";
import { eraseOldWords, erasePersonal, payoutsOf, providerProblemsOf, stillToSend } from "#modules/payments";
import { clearRoom } from "#modules/rooms";
import { recordChange } from "./effects.ts";
import { details } from "./information.schema.ts";
import { lockTrade } from "./load.ts";
import { disputeStatements, disputes, handConfirmations, trades } from "./schema.ts";
import { supportRequests } from "./support.schema.ts";

const BATCH = 200;
/** So many that failed are named. */
const NAMED = 20;

defineJob("escrow.retention", () => keepRetention(now()), { cron: "55 19 * * *" });

/**
 * Erases, each night, what two years (specification §9) are over for: ended trades, requests for support, and what administrators
 * wrote of money. A trade that fails keeps nothing else; at the end it throws with the numbers of those that did.
 */
export async function keepRetention(at: Date): Promise<void> {
  const before = subYears(at, RECORD_YEARS);
  const failed = await eraseOldTrades(before, at);
  await db().delete(supportRequests).where(lt(supportRequests.createdAt, before));
  await eraseOldWords(before);
  // The job fails with it, and tries again; what never goes comes to the administrators' work.
  if (failed.length > 0)
    throw new Error(`trades not erased (${failed.length}): ${failed.slice(0, NAMED).join(", ")}`);
}

/** Answers those that failed. */
async function eraseOldTrades(before: Date, at: Date): Promise<number[]> {
  const failed: number[] = [];
  for (let last = { endedAt: new Date(0) as Date | null, id: 0 }; ; ) {
    const over = await db()
      .select({ id: trades.id, endedAt: trades.endedAt })
      .from(trades)
      .where(
        and(
          lt(trades.endedAt, before),
          isNull(trades.erasedAt),
          sql`(${trades.endedAt}, ${trades.id}) > (${last.endedAt?.toISOString()}::timestamptz, ${last.id})`,
        ),
      )
      .orderBy(asc(trades.endedAt), asc(trades.id))
      .limit(BATCH);
    for (const { id } of over) {
      await transaction((tx) => eraseTrade(tx, id, at)).catch((err) => {
        log().error({ err, transaction: id }, "escrow: a trade was not erased");
        failed.push(id);
      });
    }
    last = over.at(-1) ?? last;
    if (over.length < BATCH) return failed;
  }
}

/** Erases one trade's talk and personal details, unless its money is not where it belongs or a person still has to look at it. */
async function eraseTrade(tx: Tx, id: number, at: Date): Promise<void> {
  const trade = await lockTrade(tx, id);
  if (trade === undefined || trade.held > 0) return;
  if (stillToSend(await payoutsOf(tx, id)) || (await providerProblemsOf(tx, id)).length > 0) return;
  const erased = await tx
    .update(trades)
    .set({ description: null, handOverNote: null, erasedAt: at })
    .where(and(eq(trades.id, id), isNull(trades.erasedAt)))
    .returning({ id: trades.id });
  if (erased.length === 0) return;
  await erasePersonal(tx, id, at);
  await tx.update(handConfirmations).set({ asideReason: null }).where(eq(handConfirmations.asideOf, id));
  await tx.delete(details).where(eq(details.tradeId, id));
  const cases = tx.select({ id: disputes.id }).from(disputes).where(eq(disputes.tradeId, id));
  await tx.delete(disputeStatements).where(inArray(disputeStatements.disputeId, cases));
  const by = { userId: null };
  await recordChange(tx, trade, { at, by }, "erased", {});
  await clearRoom(tx, trade.roomId, by, at);
}
