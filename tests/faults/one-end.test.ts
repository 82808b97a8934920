import { describe, expect, test } from "bun:test";
import { adminCancel, confirmCompletion, type TradeRefusal, type TradeResult } from "#modules/escrow";
import { useDatabase } from "../support/database/test-database.ts";
import {
  createPaidTrade,
  moneyOf,
  type PlantedTrade,
  saveSellerAccount,
  statusOf,
  useSandboxProvider,
} from "../support/trades/sandbox-trades.ts";
import { findBookFaults, noticesOf } from "../support/trades/trade-books.ts";

useDatabase();
useSandboxProvider();

type Answer = TradeResult | TradeRefusal;
const rounds = Number(process.env.FAULT_ROUNDS ?? 3);

/** How many took effect, how many repeated, and every refusal with the state it told. */
function tally(answers: readonly Answer[]) {
  const took = answers.filter((answer) => answer.ok && answer.changed).length;
  const repeated = answers.filter((answer) => answer.ok && !answer.changed).length;
  const refusals = new Set(
    answers.flatMap((answer) => (answer.ok ? [] : [`${answer.code} ${answer.current}`])),
  );
  return { took, repeated, refusals: [...refusals].sort(), all: took + repeated };
}

/** 50 confirmations by each side, the first `early` of the buyer's a moment before all else, and what else is given. */
async function atOnce(deal: PlantedTrade, early: number, cancel: boolean) {
  const buyer: Promise<Answer>[] = [];
  const seller: Promise<Answer>[] = [];
  for (let i = 0; i < early; i++) buyer.push(confirmCompletion(deal.buyer, deal.id));
  for (let i = early; i < 50; i++) buyer.push(confirmCompletion(deal.buyer, deal.id));
  for (let i = 0; i < 25; i++) seller.push(confirmCompletion(deal.seller, deal.id));
  const ending = cancel ? adminCancel(deal.admin, deal.id) : undefined;
  for (let i = 25; i < 50; i++) seller.push(confirmCompletion(deal.seller, deal.id));
  return {
    buyer: tally(await Promise.all(buyer)),
    seller: tally(await Promise.all(seller)),
    ended: await ending,
  };
}

describe("both sides and an administrator at once", () => {
  for (let round = 1; round <= rounds; round++) {
    test(`100 confirmations and a cancel end as some order explains (${round})`, async () => {
      const deal = await createPaidTrade();
      await saveSellerAccount(deal);
      const { buyer, seller, ended } = await atOnce(deal, round % 3, true);
      // A cancel is possible after every one of these, so it always takes effect, and once.
      expect(ended).toMatchObject({ ok: true, changed: true });
      expect(await statusOf(deal)).toBe("cancelled");
      expect(buyer.took).toBeLessThanOrEqual(1);
      // Who confirms second came second.
      expect(seller.took).toBeLessThanOrEqual(buyer.took);
      if (buyer.took === 0) expect(buyer.all).toBe(0);
      if (seller.took === 0) expect(seller.all).toBe(0);
      const may = ["BUYER_FIRST payment_confirmed", "TRADE_OVERTAKEN cancelled"];
      expect(buyer.refusals.filter((refusal) => refusal !== may[1])).toEqual([]);
      expect(seller.refusals.filter((refusal) => !may.includes(refusal))).toEqual([]);
      expect(await moneyOf(deal)).toEqual({
        held: 110_000,
        suspense: 0,
        records: ["refund 110000+0 escrow due"],
      });
      const said = await noticesOf(deal.roomId);
      for (const code of ["buyerConfirmed", "sellerConfirmed", "adminCancelled"]) {
        expect(said.filter((one) => one === code).length).toBeLessThanOrEqual(1);
      }
      expect(said.at(-1)).toBe("adminCancelled");
    });

    test(`100 confirmations alone settle it once (${round})`, async () => {
      const deal = await createPaidTrade();
      await saveSellerAccount(deal);
      const { buyer, seller } = await atOnce(deal, 1, false);
      expect(buyer).toEqual({ took: 1, repeated: 49, refusals: [], all: 50 });
      const last = await confirmCompletion(deal.seller, deal.id);
      expect(last.ok).toBe(true);
      expect(seller.took + (last.ok && last.changed ? 1 : 0)).toBe(1);
      expect(seller.refusals.filter((refusal) => refusal !== "BUYER_FIRST payment_confirmed")).toEqual([]);
      expect(await statusOf(deal)).toBe("settlement_pending");
      expect(await moneyOf(deal)).toMatchObject({ records: ["payout 100000+10000 escrow due"] });
    });
  }

  test("ledger and log are intact after it", async () => {
    expect(await findBookFaults()).toEqual([]);
  });
});
