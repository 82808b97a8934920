import { expect, test } from "bun:test";
import { db, runInTransaction } from "#db/client";
import { payoutsOf } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { checkPayment } from "../payment/check-payment.ts";
import { requireParty } from "./authorization.ts";
import { hasLeft, loadTrade, lockTrade, tradeRows } from "./load-trade.ts";
import { tradeNow } from "./trade.fixture.ts";

useDatabase();
const market = useSandboxProvider();

test("a reader during a booking sees the trade from before it or from after it", async () => {
  for (let round = 0; round < 4; round++) {
    const deal = await createInvoicedTrade();
    await market.pay(deal);
    let booking = true;
    const seen = new Set<string>();
    const look = async (read: () => Promise<{ status: string; held: number }>) => {
      while (booking) {
        const { status, held } = await read();
        seen.add(`${status} ${held}`);
      }
    };
    const asBuyer = async () => (await expectAccepted(requireParty(deal.buyer, deal.id))).trade;
    const looks = Array.from({ length: 8 }, (_, i) => look(i % 2 ? asBuyer : () => tradeNow(deal)));
    await expectAccepted(checkPayment(deal.id, "callback"));
    booking = false;
    await Promise.all(looks);
    const { status, held } = await tradeNow(deal);
    expect([status, held]).toEqual(["payment_confirmed", 110_000]);
    const whole = ["payment_initiated 0", "payment_confirmed 110000"];
    expect([...seen].filter((one) => !whole.includes(one))).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
  }
});

test("money of the trade itself has left once it was sent, seen at the bank, or may have been sent; suspense never counts", async () => {
  const deal = await createPaidTrade();
  await confirmByBoth(deal);
  const [due] = await payoutsOf(db(), deal.id);
  if (due === undefined) throw new Error("nothing is due");
  const states = ["due", "approved", "sent", "done", "unknown", "void"] as const;
  const left = states.map((state) => hasLeft({ ...due, state }));
  expect(left).toEqual([false, false, true, true, true, false]);
  expect(states.some((state) => hasLeft({ ...due, state, source: "suspense:1" }))).toBe(false);
});

test("nothing is loaded for a trade that does not exist", async () => {
  expect(await loadTrade(999_999)).toBeUndefined();
  expect(await runInTransaction((tx) => lockTrade(tx, 999_999))).toBeUndefined();
  expect(await tradeRows(db(), [])).toEqual([]);
});
