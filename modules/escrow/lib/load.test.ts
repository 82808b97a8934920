import { expect, test } from "bun:test";
import { useDatabase } from "../../../tests/support/database.ts";
import { invoiced, must, useMarket } from "../../../tests/support/market.ts";
import { asParty } from "./acting.ts";
import { checkPayment } from "./check-payment.ts";
import { tradeNow } from "./trade.fixture.ts";

useDatabase();
const market = useMarket();

test("whoever looks while a payment is booked sees the trade from before it or from after it", async () => {
  for (let round = 0; round < 4; round++) {
    const deal = await invoiced();
    await market.pay(deal);
    let booking = true;
    const seen = new Set<string>();
    const look = async (read: () => Promise<{ status: string; held: number }>) => {
      while (booking) {
        const { status, held } = await read();
        seen.add(`${status} ${held}`);
      }
    };
    const asBuyer = async () => (await must(asParty(deal.buyer, deal.id))).trade;
    const looks = Array.from({ length: 8 }, (_, i) => look(i % 2 ? asBuyer : () => tradeNow(deal)));
    await must(checkPayment(deal.id, "callback"));
    booking = false;
    await Promise.all(looks);
    const { status, held } = await tradeNow(deal);
    expect([status, held]).toEqual(["payment_confirmed", 110_000]);
    const whole = ["payment_initiated 0", "payment_confirmed 110000"];
    expect([...seen].filter((one) => !whole.includes(one))).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
  }
});
