import { describe, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { db } from "#db/client";
import { payoutsOf } from "#modules/payments";
import {
  approvePayout,
  ruleDispute,
  sendPayout,
  settleShownTrade,
} from "../../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  assertSoundLedger,
  confirmByBoth,
  createPaidTrade,
  createRequestedTrade,
  expectAccepted,
  moneyOf,
  readMailTemplates,
  readNoticeCodes,
  saveSellerAccount,
  statusOf,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../../../../../tests/support/trades/shown-disputes.ts";
import { tradeNow } from "../../core/trade.fixture.ts";
import { takeDispute } from "../../disputes/mediate.ts";
import { openDispute } from "../../disputes/open-dispute.ts";
import { saveRefundDestination } from "../../information/refund-account.ts";
import {
  markPayoutUnknownAsAdmin,
  resolvePayoutAsAdmin,
  withdrawApprovalAsAdmin,
} from "../payouts/payout-steps.ts";
import {
  adminCancel,
  adminCancelForSum,
  adminCloseUnpaid,
  adminComplete,
  adminPaySeller,
  deleteTransaction,
} from "./administrator-commands.ts";
import { adminTrade } from "./transaction-view.ts";

useDatabase();
useSandboxProvider();

const reason = "it was taken back";
const split = { ruling: "split", refundAmount: 40_000, sum: 40_000, reason } as const;
const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};

async function disputed() {
  const deal = await createPaidTrade();
  await saveSellerAccount(deal);
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
  return { ...deal, second: await plantUser({ isAdmin: true, displayName: "Second" }) };
}

describe("a disputed trade", () => {
  test("is completed or cancelled only by its mediator", async () => {
    const deal = await disputed();
    for (const verb of [adminComplete, adminCancel]) {
      expect(await verb(deal.admin, deal.id)).toMatchObject({
        code: "DISPUTE_NOT_TAKEN",
        current: "disputed",
      });
    }
    await expectAccepted(takeDispute(deal.second, deal.id));
    for (const verb of [adminComplete, adminCancel]) {
      expect(await verb(deal.admin, deal.id)).toMatchObject({
        code: "DISPUTE_TAKEN",
        params: { name: "Second" },
      });
    }
    expect(await statusOf(deal)).toBe("disputed");
    await expectAccepted(adminCancel(deal.second, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ records: ["refund 110000+0 escrow due"] });
  });

  test("that was ruled is cancelled only by the mediator, until the ruling is void", async () => {
    const deal = await disputed();
    await expectAccepted(ruleDispute(deal.second, deal.id, split));
    const taken = { code: "DISPUTE_TAKEN", params: { name: "Second" } };
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject(taken);
    await expectAccepted(openDispute(deal.seller, deal.id, { reason }));
    await expectAccepted(takeDispute(deal.admin, deal.id));
    await expectAccepted(withdrawDispute(deal.seller, deal.id));
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject(taken);
    expect((await moneyOf(deal)).records).toHaveLength(2);
    await expectAccepted(adminCancel(deal.second, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ records: ["refund 110000+0 escrow due"] });
    await assertSoundLedger();
  });

  test("that was ruled can be completed by any administrator, but by none while one of its transfers is in doubt", async () => {
    const deal = await disputed();
    await expectAccepted(ruleDispute(deal.second, deal.id, split));
    expect((await saveRefundDestination(deal.buyer, deal.id, home)).ok).toBe(true);
    const toSeller = (await payoutsOf(db(), deal.id)).find(({ kind }) => kind === "payout")?.id ?? 0;
    await expectAccepted(approvePayout(deal.second, toSeller));
    await expectAccepted(markPayoutUnknownAsAdmin(deal.second, toSeller, { reason: "the page broke off" }));
    expect(await adminComplete(deal.admin, deal.id)).toMatchObject({
      code: "TRADE_ON_HOLD",
      current: "settlement_pending",
    });
    expect(await moneyOf(deal)).toEqual({
      held: 110_000,
      suspense: 0,
      records: ["payout 60000+10000 escrow unknown", "refund 40000+0 escrow due"],
    });
    await expectAccepted(
      resolvePayoutAsAdmin(deal.second, toSeller, { outcome: "not_sent", reason: "it is not there" }),
    );
    await expectAccepted(adminComplete(deal.admin, deal.id));
    expect(await statusOf(deal)).toBe("completed");
    await assertSoundLedger();
  });

  test("that was ruled is not completed over a transfer in doubt even when everything else has been sent", async () => {
    const deal = await disputed();
    await expectAccepted(ruleDispute(deal.second, deal.id, split));
    expect((await saveRefundDestination(deal.buyer, deal.id, home)).ok).toBe(true);
    const all = await payoutsOf(db(), deal.id);
    const idOf = (wanted: string) => all.find(({ kind }) => kind === wanted)?.id ?? 0;
    for (const { id } of all) await expectAccepted(approvePayout(deal.second, id));
    await expectAccepted(sendPayout(deal.second, idOf("refund"), { bankReference: "FT-R1" }));
    await expectAccepted(
      markPayoutUnknownAsAdmin(deal.second, idOf("payout"), { reason: "the page broke off" }),
    );
    expect(await adminComplete(deal.second, deal.id)).toMatchObject({ code: "TRADE_ON_HOLD" });
    expect(await moneyOf(deal)).toMatchObject({
      held: 70_000,
      records: ["payout 60000+10000 escrow unknown", "refund 40000+0 escrow sent"],
    });
  });

  test("ruled as a split and opened again is completed as the same split", async () => {
    const deal = await disputed();
    await expectAccepted(ruleDispute(deal.second, deal.id, split));
    expect((await saveRefundDestination(deal.buyer, deal.id, home)).ok).toBe(true);
    await expectAccepted(openDispute(deal.seller, deal.id, { reason }));
    await expectAccepted(takeDispute(deal.admin, deal.id));
    await expectAccepted(adminComplete(deal.admin, deal.id));
    expect(await moneyOf(deal)).toEqual({
      held: 0,
      suspense: 0,
      records: ["payout 60000+10000 escrow sent", "refund 40000+0 escrow sent"],
    });
    await assertSoundLedger();
  });
});

describe("cancelling", () => {
  test("needs a fresh login if money is held, and none otherwise", async () => {
    const [held, empty] = [await createPaidTrade(), await createRequestedTrade()];
    const stale = { ...held.admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    expect(await adminCancel(stale, held.id)).toMatchObject({ code: "REAUTH_REQUIRED" });
    expect(await statusOf(held)).toBe("payment_confirmed");
    await expectAccepted(adminCancel(stale, empty.id));
    expect(await statusOf(empty)).toBe("cancelled");
  });
});

describe("the page offers", () => {
  test("to close a trade with nothing held, and pays nobody if money arrived meanwhile", async () => {
    const [empty, held] = [await createRequestedTrade(), await createPaidTrade()];
    await saveSellerAccount(held);
    expect(await adminCloseUnpaid(held.admin, held.id)).toMatchObject({
      code: "MONEY_HELD",
      current: "payment_confirmed",
    });
    await expectAccepted(adminCloseUnpaid(empty.admin, empty.id));
    expect(await expectAccepted(adminCloseUnpaid(empty.admin, empty.id))).toMatchObject({
      changed: false,
    });
    expect(await adminCancelForSum(held.admin, held.id, { sum: 0 })).toMatchObject({
      code: "SUM_DIFFERS",
      params: { sum: 110_000 },
    });
    expect(await statusOf(held)).toBe("payment_confirmed");
  });

  test("to pay the seller what is held: it becomes due, and follows the steps of a payout", async () => {
    const deal = await createPaidTrade();
    const shown = async () => {
      const seen = await adminTrade(deal.admin, deal.id);
      return seen.ok ? seen.detail.decisions : null;
    };
    const cancel = { toBuyer: 110_000, toSeller: 0, fee: 0 };
    expect(await shown()).toEqual({ complete: null, cancel, cancelledBy: null });
    expect(await adminPaySeller(deal.admin, deal.id, { sum: 100_000 })).toMatchObject({
      code: "DESTINATION_MISSING",
    });
    await saveSellerAccount(deal);
    expect(await shown()).toEqual({
      complete: { toBuyer: 0, toSeller: 100_000, fee: 10_000 },
      cancel,
      cancelledBy: null,
    });
    const stale = { ...deal.admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    for (const [actor, sum, code] of [
      [stale, 100_000, "REAUTH_REQUIRED"],
      [deal.seller, 100_000, "ADMIN_REQUIRED"],
      [{ ...deal.buyer, isAdmin: true }, 100_000, "OWN_TRADE"],
      [deal.admin, 110_000, "SUM_DIFFERS"],
    ] as const) {
      expect(await adminPaySeller(actor, deal.id, { sum })).toMatchObject({ code });
    }
    const done = await expectAccepted(adminPaySeller(deal.admin, deal.id, { sum: 100_000 }));
    expect(done.trade).toMatchObject({ status: "settlement_pending", moneySent: false });
    expect(await expectAccepted(adminPaySeller(deal.admin, deal.id, { sum: 100_000 }))).toMatchObject({
      changed: false,
    });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, records: ["payout 100000+10000 escrow due"] });
    expect((await readNoticeCodes(deal)).at(-1)).toBe("adminPaysSeller");
    for (const party of [deal.buyer, deal.seller])
      expect((await readMailTemplates(party)).at(-1)).toBe("payoutDecided");
    expect(await shown()).toEqual({ complete: null, cancel, cancelledBy: null });
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: `FS${deal.id}` }));
    expect(await statusOf(deal)).toBe("completed");
    expect(await shown()).toEqual({ complete: null, cancel: null, cancelledBy: null });
    await assertSoundLedger();
  });

  test("a cancellation with what it refunds and keeps, and nothing if another must decide", async () => {
    overrideConfig({ FEE_POLICY: "terms" });
    try {
      const deal = await createPaidTrade();
      const { gross, fee } = await tradeNow(deal);
      const seen = async () => {
        const found = await adminTrade(deal.admin, deal.id);
        return found.ok ? found.detail.decisions : null;
      };
      const cancel = { toBuyer: gross - fee, toSeller: 0, fee };
      expect(await seen()).toEqual({ complete: null, cancel, cancelledBy: null });
      await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
      expect(await seen()).toEqual({ complete: null, cancel: null, cancelledBy: null });
      await expectAccepted(withdrawDispute(deal.buyer, deal.id));
      expect(await adminCancelForSum(deal.admin, deal.id, { sum: gross })).toMatchObject({
        code: "SUM_DIFFERS",
      });
      await expectAccepted(adminCancelForSum(deal.admin, deal.id, { sum: gross - fee }));
      expect(await moneyOf(deal)).toMatchObject({ records: [`refund ${gross - fee}+${fee} escrow due`] });
    } finally {
      overrideConfig({ FEE_POLICY: "standard" });
    }
  });

  test("no cancellation while someone may be sending money: the approval must be withdrawn first", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    const id = (await payoutsOf(db(), deal.id))[0]?.id ?? 0;
    await expectAccepted(approvePayout(deal.admin, id));
    const second = await plantUser({ isAdmin: true });
    const seen = await adminTrade(second, deal.id);
    expect(seen.ok && seen.detail.decisions).toEqual({ complete: null, cancel: null, cancelledBy: null });
    for (const who of [deal.admin, second]) {
      expect(await adminCancel(who, deal.id)).toMatchObject({ code: "PAYOUT_APPROVED" });
    }
    await expectAccepted(withdrawApprovalAsAdmin(deal.admin, id, { reason }));
    await expectAccepted(adminCancelForSum(second, deal.id, { sum: 110_000 }));
    expect(await moneyOf(deal)).toMatchObject({ records: ["refund 110000+0 escrow due"] });
    expect((await saveRefundDestination(deal.buyer, deal.id, home)).ok).toBe(true);
    const refund = (await payoutsOf(db(), deal.id)).find(({ kind }) => kind === "refund")?.id ?? 0;
    await expectAccepted(approvePayout(deal.admin, refund));
    expect(await expectAccepted(adminCancelForSum(second, deal.id, { sum: 110_000 }))).toMatchObject({
      changed: false,
    });
  });

  test("undoing a ruling only to its author, and shows the others who that is", async () => {
    const deal = await disputed();
    await expectAccepted(ruleDispute(deal.second, deal.id, split));
    const of = async (who: typeof deal.admin) => {
      const found = await adminTrade(who, deal.id);
      return found.ok ? found.detail.decisions : null;
    };
    const cancel = { toBuyer: 110_000, toSeller: 0, fee: 0 };
    expect(await of(deal.admin)).toMatchObject({ cancel: null, cancelledBy: "Second" });
    expect(await of(deal.second)).toMatchObject({ cancel, cancelledBy: null });
    await expectAccepted(adminCancel(deal.second, deal.id));
    expect(await of(deal.admin)).toMatchObject({ cancel: null, cancelledBy: null });
  });
});

describe("a trade is hidden", () => {
  test("without a fresh login, and never while its money is held", async () => {
    const [held, empty] = [await createPaidTrade(), await createRequestedTrade()];
    const stale = (who: typeof held.admin) => ({
      ...{ ...who, authenticatedAt: new Date(Date.now() - 11 * 60_000) },
    });
    expect(await deleteTransaction(stale(held.admin), held.id)).toMatchObject({
      ...{ code: "TRADE_UNDER_WAY", current: "payment_confirmed" },
    });
    expect((await tradeNow(held)).hiddenAt).toBeNull();
    await expectAccepted(adminCancel(empty.admin, empty.id));
    expect(await expectAccepted(deleteTransaction(stale(empty.admin), empty.id))).toMatchObject({
      changed: true,
    });
    expect((await tradeNow(empty)).hiddenAt).toBeInstanceOf(Date);
    expect(await deleteTransaction(empty.buyer, empty.id)).toMatchObject({ code: "ADMIN_REQUIRED" });
  });
});

test("a cancellation that is Midman's fault refunds everything, under either policy", async () => {
  overrideConfig({ FEE_POLICY: "terms" });
  try {
    const deal = await createPaidTrade();
    const { gross } = await tradeNow(deal);
    expect(await adminCancelForSum(deal.admin, deal.id, { ourFault: true, sum: gross - 1 })).toEqual({
      ...{ ok: false, code: "SUM_DIFFERS", params: { sum: gross } },
    });
    await expectAccepted(adminCancelForSum(deal.admin, deal.id, { ourFault: true, sum: gross }));
    expect(await moneyOf(deal)).toMatchObject({ records: [`refund ${gross}+0 escrow due`] });
    const kept = await createPaidTrade();
    const { fee } = await tradeNow(kept);
    await expectAccepted(adminCancel(kept.admin, kept.id));
    expect(await moneyOf(kept)).toMatchObject({ records: [`refund ${gross - fee}+${fee} escrow due`] });
  } finally {
    overrideConfig({ FEE_POLICY: "standard" });
  }
});
