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

test("a payment in the last minute counts, even if the provider was asked within it", async () => {
  const deal = await begun();
  await runAtTime(minutes(window - 0.5), () => expectAccepted(checkPayment(deal.id, "callback")));
  await market.pay(deal);
  expect(await end(deal, minutes(window))).toBe(true);
  expect(await statusOf(deal)).toBe("payment_confirmed");
  expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
});

test("an unpaid payment window ends the trade", async () => {
  const deal = await begun();
  expect(await end(deal, minutes(window))).toBe(true);
  expect(await statusOf(deal)).toBe("cancelled");
});

test("a part payment is kept if a person must check it first, and the provider is not asked again until then", async () => {
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

test("a part payment found while the window was extended is kept, and the trade stays payable", async () => {
  const deal = await begun();
  await market.pay(deal, { amount: 30_000 });
  expect(await end(deal, minutes(window - 1))).toBe(false);
  expect(await moneyOf(deal)).toEqual({ held: 30_000, suspense: 0, records: [] });
  expect(await statusOf(deal)).toBe("payment_processing");
});
