import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { drainJobs } from "#db/jobs";
import { useDatabase } from "../../../tests/support/database.ts";
import {
  audited,
  type Deal,
  invoiced,
  later,
  mails,
  paid,
  useMarket,
} from "../../../tests/support/market.ts";
import { sweepAwake } from "./deadlines.run.ts";
import { tradeNow } from "./trade.fixture.ts";

/** Nobody was there to do what the clocks ask for: whoever comes back first, the beat or a job, first gives the time back. */

useDatabase();
useMarket();
const minute = 60_000;

beforeEach(() => beatAt(new Date()));

/** The last sign of life of all instances. */
async function beatAt(at: Date): Promise<void> {
  await db().execute(sql`DELETE FROM base.heartbeat`);
  await db().execute(sql`INSERT INTO base.heartbeat (beat_at) VALUES (${at.toISOString()})`);
}

const dueIn = async (deal: Deal) => {
  const due = (await tradeNow(deal)).deadlines.payment_window?.dueAt;
  return due === undefined ? null : Math.round((due.getTime() - Date.now()) / minute);
};

test("a job that comes before the beat does not end what the gap extends; afterwards it does", async () => {
  const deal = await invoiced();
  const back = new Date(Date.now() + 130 * minute);
  await beatAt(new Date(back.getTime() - 60 * minute));
  await later(back, () => Promise.all([drainJobs(back), sweepAwake(back), sweepAwake(back)]));
  expect((await tradeNow(deal)).status).toBe("payment_initiated");
  expect(await dueIn(deal)).toBe(180);
  expect(await mails(deal.buyer)).not.toContain("tradeCancelled");
  await later(back, () => drainJobs(back));
  expect(await dueIn(deal)).toBe(180);
  const over = new Date(Date.now() + 181 * minute);
  await beatAt(over);
  await later(over, () => drainJobs(over));
  expect(await tradeNow(deal)).toMatchObject({ status: "cancelled", endReason: "expired" });
});

test("a gap of five minutes extends nothing", async () => {
  const deal = await invoiced();
  const back = new Date(Date.now() + 121 * minute);
  await beatAt(new Date(back.getTime() - 5 * minute));
  await later(back, () => drainJobs(back));
  expect((await tradeNow(deal)).status).toBe("cancelled");
});

test("what was overdue when the gap began is not extended, and is told once", async () => {
  const deal = await paid();
  const back = new Date(Date.now() + 26 * 60 * minute);
  await beatAt(new Date(back.getTime() - 60 * minute));
  await later(back, () => Promise.all([sweepAwake(back), sweepAwake(back)]));
  const [row] = await db().execute<{ state: string; extended: string }>(sql`
    SELECT state, extended_ms AS extended FROM escrow.deadlines WHERE trade_id = ${deal.id} AND kind = 'hand_over'`);
  expect(row).toEqual({ state: "overdue", extended: "0" });
  expect((await audited(deal)).filter((action) => action === "transaction.overdue")).toHaveLength(1);
});
