import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createInvoicedTrade,
  expectAccepted,
  moneyOf,
  runAtTime,
  statusOf,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { checkPayment } from "./check-payment.ts";
import { expirePayment } from "./expire-payment.ts";

useDatabase();
const market = useSandboxProvider();

const start = new Date("2030-04-01T00:00:00Z");
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);
const window = 120;
const begun = () => runAtTime(start, () => createInvoicedTrade());
const end = (deal: { id: number }, at: Date) => runAtTime(at, () => expirePayment(deal.id, at));

/** How often the provider was asked about the invoices of a trade. */
async function asks({ id }: { id: number }): Promise<number> {
  const [row] = await db().execute<{ asks: number }>(sql`
    SELECT sum(p.asks)::integer AS asks FROM payments.provider_invoices p JOIN payments.invoices i ON i.id = p.invoice_id
    WHERE i.reference = ${id}`);
  return row?.asks ?? 0;
}

test("what is paid in the last minute counts, also where the provider was asked within it", async () => {
  const deal = await begun();
  await runAtTime(minutes(window - 0.5), () => expectAccepted(checkPayment(deal.id, "callback")));
  await market.pay(deal);
  expect(await end(deal, minutes(window))).toBe(true);
  expect(await statusOf(deal)).toBe("payment_confirmed");
  expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
});

test("a window that ends unpaid ends the trade, and is over", async () => {
  const deal = await begun();
  expect(await end(deal, minutes(window))).toBe(true);
  expect(await statusOf(deal)).toBe("cancelled");
});

test("a part that came in is kept where a person must look first, and the provider is not asked again until then", async () => {
  const deal = await begun();
  await market.pay(deal, { amount: 30_000 });
  await market.pay(deal, { amount: 5, currency: "USD" });
  expect(await end(deal, minutes(window))).toBe(false);
  const booked = { held: 30_000, suspense: 0, records: [] };
  expect(await moneyOf(deal)).toEqual(booked);
  const asked = await asks(deal);
  expect(asked).toBeGreaterThan(0);
  expect(await end(deal, minutes(window + 5))).toBe(false);
  expect(await asks(deal)).toBe(asked);
  expect(await moneyOf(deal)).toEqual(booked);
  expect(await statusOf(deal)).not.toBe("cancelled");
});

test("a part that is found while the window was moved on is kept, and the trade stays to be paid", async () => {
  const deal = await begun();
  await market.pay(deal, { amount: 30_000 });
  expect(await end(deal, minutes(window - 1))).toBe(false);
  expect(await moneyOf(deal)).toEqual({ held: 30_000, suspense: 0, records: [] });
  expect(await statusOf(deal)).toBe("payment_processing");
});
