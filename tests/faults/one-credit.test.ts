import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { markPaid, verifyPayment } from "#modules/escrow";
import { overrideConfig } from "../../config.ts";
import { db } from "../../db/client.ts";
import { drainJobs, startJobs, stopJobs } from "../../db/jobs.ts";
import { useDatabase } from "../support/database/test-database.ts";
import {
  createInvoicedTrade,
  moneyOf,
  statusOf,
  useSandboxProvider,
} from "../support/trades/sandbox-trades.ts";
import { findBookFaults, noticesOf } from "../support/trades/trade-books.ts";

// Before the database goes, whose end this must not meet.
afterAll(stopJobs);
const database = useDatabase();
overrideConfig({ THROTTLE_FACTOR: 100_000 });
const market = useSandboxProvider();
beforeAll(() => startJobs(database.url, { pollingSeconds: 0.5 }));

async function count(query: ReturnType<typeof sql>): Promise<number> {
  const [row] = await db().execute<{ count: string }>(query);
  return Number(row?.count);
}

describe("one payment, reported from everywhere at once", () => {
  test("50 callbacks, Verify and mark-paid make one credit, one notice, one step", async () => {
    const deal = await createInvoicedTrade();
    const told = market.pay(deal, { callback: 50 });
    const pressed = Array.from({ length: 20 }, async (_, i) => {
      await Bun.sleep(i * 3);
      return i % 2 ? verifyPayment(deal.buyer, deal.id) : markPaid(deal.buyer, deal.id);
    });
    const { callbacks } = await told;
    const answers = await Promise.all(pressed);
    // Those that were put off to the next minute too.
    await drainJobs(new Date(Date.now() + 10 * 60_000));

    expect(callbacks).toEqual(Array.from({ length: 50 }, () => "SUCCESS"));
    expect(answers.filter(({ ok }) => !ok)).toEqual([]);
    expect(await statusOf(deal)).toBe("payment_confirmed");
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
    expect(await count(sql`SELECT count(*) FROM payments.payments WHERE reference = ${deal.id}`)).toBe(1);
    expect(await count(sql`SELECT count(*) FROM payments.journals WHERE reference = ${deal.id}`)).toBe(1);
    const said = await noticesOf(deal.roomId);
    expect(said.filter((code) => code === "paymentConfirmed")).toHaveLength(1);
    expect(said.filter((code) => code === "markedPaid").length).toBeLessThanOrEqual(1);
    const step = sql`SELECT count(*) FROM escrow.steps WHERE trade_id = ${deal.id} AND step = 'payment_processing'`;
    expect(await count(step)).toBe(1);
    const mailed = sql`SELECT count(*) FROM mailer.messages WHERE template = 'paymentConfirmed'`;
    expect(await count(mailed)).toBe(2);
    expect(await findBookFaults()).toEqual([]);
  });
});
