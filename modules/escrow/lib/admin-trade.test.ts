import { describe, expect, test } from "bun:test";
import { useDatabase } from "../../../tests/support/database.ts";
import {
  giveAccount,
  moneyOf,
  must,
  paid,
  requested,
  soundLedger,
  statusOf,
  useMarket,
} from "../../../tests/support/market.ts";
import { plantUser } from "../../../tests/support/trade.ts";
import { adminCancel, adminComplete } from "./admin-trade.ts";
import { takeDispute } from "./disputes.mediate.ts";
import { ruleDispute } from "./disputes.rule.ts";
import { openDispute, withdrawDispute } from "./disputes.ts";
import { saveRefundDestination } from "./information.refund.ts";

useDatabase();
useMarket();

const reason = "it was taken back";
const split = { ruling: "split", refundAmount: 40_000, sum: 40_000, reason } as const;
const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};

async function disputed() {
  const deal = await paid();
  await giveAccount(deal);
  await must(openDispute(deal.buyer, deal.id, { reason }));
  return { ...deal, second: await plantUser({ isAdmin: true, displayName: "Second" }) };
}

describe("a disputed trade", () => {
  test("is neither completed nor called off by anybody but its mediator", async () => {
    const deal = await disputed();
    for (const verb of [adminComplete, adminCancel]) {
      expect(await verb(deal.admin, deal.id)).toMatchObject({
        code: "DISPUTE_NOT_TAKEN",
        current: "disputed",
      });
    }
    await must(takeDispute(deal.second, deal.id));
    for (const verb of [adminComplete, adminCancel]) {
      expect(await verb(deal.admin, deal.id)).toMatchObject({
        code: "DISPUTE_TAKEN",
        params: { name: "Second" },
      });
    }
    expect(await statusOf(deal)).toBe("disputed");
    await must(adminCancel(deal.second, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ records: ["refund 110000+0 escrow due"] });
  });

  test("that was ruled is called off by nobody else either, until the ruling stands no more", async () => {
    const deal = await disputed();
    await must(ruleDispute(deal.second, deal.id, split));
    const taken = { code: "DISPUTE_TAKEN", params: { name: "Second" } };
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject(taken);
    await must(openDispute(deal.seller, deal.id, { reason }));
    await must(takeDispute(deal.admin, deal.id));
    await must(withdrawDispute(deal.seller, deal.id));
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject(taken);
    expect((await moneyOf(deal)).records).toHaveLength(2);
    await must(adminCancel(deal.second, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ records: ["refund 110000+0 escrow due"] });
    await soundLedger();
  });

  test("ruled as a split and opened again, is completed as the split it was", async () => {
    const deal = await disputed();
    await must(ruleDispute(deal.second, deal.id, split));
    expect((await saveRefundDestination(deal.buyer, deal.id, home)).ok).toBe(true);
    await must(openDispute(deal.seller, deal.id, { reason }));
    await must(takeDispute(deal.admin, deal.id));
    await must(adminComplete(deal.admin, deal.id));
    expect(await moneyOf(deal)).toEqual({
      held: 0,
      suspense: 0,
      records: ["payout 60000+10000 escrow sent", "refund 40000+0 escrow sent"],
    });
    await soundLedger();
  });
});

describe("calling off", () => {
  test("asks for a fresh login where money is held, and for none where it is not", async () => {
    const [held, empty] = [await paid(), await requested()];
    const stale = { ...held.admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    expect(await adminCancel(stale, held.id)).toMatchObject({ code: "REAUTH_REQUIRED" });
    expect(await statusOf(held)).toBe("payment_confirmed");
    await must(adminCancel(stale, empty.id));
    expect(await statusOf(empty)).toBe("cancelled");
  });
});
