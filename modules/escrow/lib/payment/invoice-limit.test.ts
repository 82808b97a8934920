import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { drainJobs } from "#db/jobs";
import { countInvoices, listInvoices, liveInvoice } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createInvoicedTrade,
  expectAccepted,
  type PlantedTrade,
  runDueJobs,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { amendTrade } from "../trade/amend-trade.ts";
import { verifyPayment } from "./check-payment.ts";
import { expirePayment } from "./expire-payment.ts";
import { issueInvoice } from "./issue-invoice.ts";

useDatabase();
const market = useSandboxProvider();

/** How often the provider was asked about an invoice since the last call of this function. */
async function checks(): Promise<number> {
  const told = (await market.behave({})) as unknown as { calls: Record<string, number> };
  await market.behave({ reset: true });
  return told.calls.check ?? 0;
}

/** Adds cancelled invoices to a trade. */
async function plant(deal: PlantedTrade, many: number): Promise<void> {
  await db().execute(sql`
    INSERT INTO payments.invoices (id, reference, amount, description, state, created_at, expires_at, ended_at)
    SELECT gen_random_uuid(), ${deal.id}, 1000, 'MM', 'cancelled', now(), now() + interval '10 minutes', now()
    FROM generate_series(1, ${many}::int)`);
}

test("a trade has thirty invoices: another is refused before the provider is called, and the last stays payable", async () => {
  const deal = await createInvoicedTrade();
  await plant(deal, 28);
  await expectAccepted(issueInvoice(deal.buyer, deal.id, { fresh: true }));
  expect(await countInvoices(db(), deal.id)).toBe(30);
  await checks();
  const full = { ok: false, code: "TOO_MANY_INVOICES" } as const;
  expect(await issueInvoice(deal.buyer, deal.id, { fresh: true })).toMatchObject(full);
  expect(await amendTrade(deal.seller, deal.id, { amount: 50_000 })).toMatchObject(full);
  expect(await checks()).toBe(0);
  expect(await issueInvoice(deal.buyer, deal.id)).toMatchObject({ ok: true, changed: false });
  await market.pay(deal);
  expect(await expectAccepted(verifyPayment(deal.buyer, deal.id))).toMatchObject({
    trade: { status: "payment_confirmed" },
  });
});

test("racing callers for the last one never make more than thirty", async () => {
  const deal = await createInvoicedTrade();
  await plant(deal, 28);
  await db().execute(
    sql`UPDATE payments.invoices SET expires_at = created_at + interval '1 millisecond' WHERE reference = ${deal.id} AND state = 'open'`,
  );
  const all = await Promise.all(
    Array.from({ length: 8 }, () => expectAccepted(issueInvoice(deal.buyer, deal.id))),
  );
  expect(new Set(all.map(({ invoice }) => invoice.id)).size).toBe(1);
  expect(await countInvoices(db(), deal.id)).toBe(30);
});

test("amendments without a live invoice call the provider no more often than its minute allows", async () => {
  const deal = await createInvoicedTrade();
  await expectAccepted(verifyPayment(deal.buyer, deal.id));
  await checks();
  await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 40_000 }));
  expect(await checks()).toBe(2); // before the live invoice was withdrawn, and after
  for (let n = 1; n <= 5; n++) await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 40_000 + n }));
  expect(await checks()).toBe(0);
  await expectAccepted(issueInvoice(deal.buyer, deal.id));
  expect(await checks()).toBe(0);
});

/** Runs every job that is due within the next two minutes. */
async function afterTheMinute(): Promise<void> {
  const later = new Date(Date.now() + 120_000);
  const restore = setClock(() => later);
  await drainJobs(later);
  restore();
}

test("invoices not checked at a new QR code are checked by a job, which sends no notice if nothing was paid", async () => {
  await afterTheMinute(); // the jobs that other trades left
  const deal = await createInvoicedTrade();
  await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 40_000 }));
  await expectAccepted(issueInvoice(deal.buyer, deal.id));
  await checks();
  await afterTheMinute();
  expect(await checks()).toBe(2); // the withdrawn invoice, and the live one
  expect(await tradeNow(deal)).toMatchObject({ status: "payment_initiated" });
});

test("late money for an old invoice is found by its callback, by a job after the minute, and at the end", async () => {
  const [called, silent, ended] = await Promise.all([
    createInvoicedTrade(),
    createInvoicedTrade(),
    createInvoicedTrade(),
  ]);
  const deals = [called, silent, ended];
  const old = await Promise.all(deals.map(async ({ id }) => (await liveInvoice(db(), id))?.providerId));
  for (const deal of deals) {
    await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 40_000 }));
    await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 30_000 }));
  }
  await market.pay(called, { callback: true }, old[0]);
  await runDueJobs();
  expect(await tradeNow(called)).toMatchObject({ status: "payment_confirmed" });
  await market.pay(silent, {}, old[1]);
  await expectAccepted(issueInvoice(silent.buyer, silent.id));
  await afterTheMinute();
  expect(await tradeNow(silent)).toMatchObject({ status: "payment_confirmed" });
  await market.pay(ended, {}, old[2]);
  expect(await expirePayment(ended.id, new Date(Date.now() + 25 * 3_600_000))).toBe(true);
  expect(await tradeNow(ended)).toMatchObject({ status: "payment_confirmed" });
  expect((await listInvoices(db(), ended.id)).map(({ state }) => state)).toEqual(["paid"]);
});
