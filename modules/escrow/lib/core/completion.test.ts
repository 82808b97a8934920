import { describe, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { setAdmin } from "#modules/identity";
import { haltMoney, payoutsOf } from "#modules/payments";
import { lockRoom } from "#modules/rooms";
import {
  approvePayout,
  sendPayout,
  settleShownTrade,
} from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  assertSoundLedger,
  confirmByBoth,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  readAuditActions,
  readMailTemplates,
  readNoticeCodes,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import {
  markPayoutDoneAsAdmin,
  markPayoutUnknownAsAdmin,
  resolvePayoutAsAdmin,
} from "../backoffice/payouts/payout-steps.ts";
import { payoutPage } from "../backoffice/payouts/payout-view.ts";
import {
  adminCancel,
  adminComplete,
  deleteTransaction,
} from "../backoffice/transactions/administrator-commands.ts";
import { adminTrade } from "../backoffice/transactions/transaction-view.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { identityGuard } from "../privacy/account-deletion-guard.ts";
import {
  confirmCompletion,
  handOver,
  requestCancellation,
  withdrawCancellation,
} from "../trade/party-commands.ts";
import { roomGuards } from "../trade/room-guards.ts";
import { tradeNow } from "./trade.fixture.ts";

useDatabase();
useSandboxProvider();

const reference = () => `FS${crypto.randomUUID().slice(0, 8)}`;
const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};

async function recordOf(deal: { id: number }, kind: "payout" | "refund") {
  const all = await payoutsOf(db(), deal.id);
  const found = all.find((one) => one.kind === kind && one.state !== "void");
  if (found === undefined) throw new Error(`no ${kind}`);
  return found.id;
}

describe("a trade that completes", () => {
  test("goes through handover, buyer, seller, settlement; every step, notice and mail once", async () => {
    const deal = await createPaidTrade();
    expect(await confirmCompletion(deal.seller, deal.id)).toMatchObject({
      code: "BUYER_FIRST",
      current: "payment_confirmed",
    });
    expect(await handOver(deal.buyer, deal.id)).toMatchObject({ code: "SELLER_ONLY" });
    await expectAccepted(handOver(deal.seller, deal.id, { note: "by the vault" }));
    expect(await expectAccepted(handOver(deal.seller, deal.id))).toMatchObject({ changed: false });
    await expectAccepted(confirmCompletion(deal.buyer, deal.id));
    expect(await confirmCompletion(deal.seller, deal.id)).toMatchObject({
      code: "DESTINATION_MISSING",
      current: "exchange_completed",
    });
    await saveSellerAccount(deal);
    const both = await expectAccepted(confirmCompletion(deal.seller, deal.id));
    expect(both.trade.status).toBe("settlement_pending");
    expect(await moneyOf(deal)).toEqual({
      held: 110_000,
      suspense: 0,
      records: ["payout 100000+10000 escrow due"],
    });
    const number = reference();
    const settled = await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: number }));
    expect(settled).toMatchObject({
      changed: true,
      trade: { status: "completed", endReason: "paid_out", deadlines: {} },
    });
    expect(
      await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: number })),
    ).toMatchObject({
      changed: false,
    });
    expect(await settleShownTrade(deal.admin, deal.id, { bankReference: reference() })).toMatchObject({
      code: "PAYOUT_CONFLICT",
      current: "completed",
    });
    expect(await moneyOf(deal)).toEqual({
      held: 0,
      suspense: 0,
      records: ["payout 100000+10000 escrow sent"],
    });
    expect(Object.keys((await tradeNow(deal)).steps)).toHaveLength(5);
    expect((await readNoticeCodes(deal)).slice(2)).toEqual([
      "paymentConfirmed",
      "handedOver",
      "buyerConfirmed",
      "bankInfoGiven",
      "sellerConfirmed",
      "settled",
    ]);
    expect((await readMailTemplates(deal.seller)).slice(1)).toEqual(["confirmPlease", "payoutSent"]);
    expect((await readMailTemplates(deal.buyer)).slice(2)).toEqual(["handedOver", "transactionCompletion"]);
    expect((await readAuditActions(deal)).filter((action) => action.startsWith("transaction."))).toEqual([
      "transaction.created",
      "transaction.issue_invoice",
      "transaction.payment_checked",
      "transaction.hand_over",
      "transaction.confirm",
      "transaction.confirm",
      "transaction.money_left",
    ]);
    expect(await runInTransaction((tx) => lockRoom(tx, deal.roomId))).toMatchObject({ active: false });
    expect(
      await runInTransaction(async (tx) => identityGuard.mayDeleteUser?.(tx, deal.buyer.userId)),
    ).toEqual({
      ok: true,
    });
    await assertSoundLedger();
  });

  test("is approved and sent separately, and by two people above the limit", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50_000 });
    try {
      const deal = await createPaidTrade();
      await confirmByBoth(deal);
      const id = await recordOf(deal, "payout");
      const second = await plantUser({ isAdmin: true });
      expect(await settleShownTrade(deal.admin, deal.id, { bankReference: reference() })).toMatchObject({
        code: "FOUR_EYES_REQUIRED",
      });
      expect(await moneyOf(deal)).toMatchObject({ records: ["payout 100000+10000 escrow due"] });
      const seen = await adminTrade(second, deal.id);
      expect(seen.ok && seen.detail.payouts).toMatchObject([{ state: "due", fourEyes: true }]);
      await expectAccepted(approvePayout(deal.admin, id));
      expect(await expectAccepted(approvePayout(deal.admin, id))).toMatchObject({ changed: false });
      expect(await sendPayout(deal.admin, id, { bankReference: reference() })).toMatchObject({
        code: "FOUR_EYES_REQUIRED",
      });
      expect(await adminComplete(deal.admin, deal.id)).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
      // An administrator whom the approver appointed counts as the same reviewer, in every call.
      const made = { ...(await plantUser()), isAdmin: true };
      expect(await setAdmin(deal.admin, made.userId, true)).toEqual({ ok: true });
      const related = { code: "FOUR_EYES_RELATED" };
      const own = { bankReference: reference() };
      expect(await sendPayout(made, id, own)).toMatchObject(related);
      expect(await settleShownTrade(made, deal.id, own)).toMatchObject(related);
      expect(await adminComplete(made, deal.id)).toMatchObject(related);
      const shown = await payoutPage(made, id);
      expect(shown.ok && shown.payout.fourEyes).toMatchObject({ approvedByReader: false, related: true });
      const sent = await expectAccepted(sendPayout(second, id, { bankReference: reference() }));
      expect(sent.trade.status).toBe("completed");
      expect(await markPayoutDoneAsAdmin(second, id)).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
      expect((await expectAccepted(markPayoutDoneAsAdmin(deal.admin, id))).payout.state).toBe("done");
    } finally {
      overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined });
    }
  });

  test("waits while money is halted, and while a transfer is in doubt", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    const by = { userId: deal.admin.userId };
    await haltMoney({ on: true, reason: "a test", at: new Date(), by });
    expect(await settleShownTrade(deal.admin, deal.id, { bankReference: reference() })).toMatchObject({
      code: "MONEY_HALTED",
    });
    await haltMoney({ on: false, reason: "a test", at: new Date(), by });
    const id = await recordOf(deal, "payout");
    await expectAccepted(approvePayout(deal.admin, id));
    await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, id, { reason: "the bank hung up" }));
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject({ code: "MONEY_ALREADY_SENT" });
    expect(await settleShownTrade(deal.admin, deal.id, { bankReference: reference() })).toMatchObject({
      code: "PAYOUT_CONFLICT",
    });
    const found = await expectAccepted(
      resolvePayoutAsAdmin(deal.admin, id, { outcome: "sent", bankReference: reference() }),
    );
    expect(found.trade.status).toBe("completed");
    await assertSoundLedger();
  });

  test("is not closed while money is in doubt, and returned money can be refunded", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    const id = await recordOf(deal, "payout");
    await expectAccepted(approvePayout(deal.admin, id));
    await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, id, { reason: "the bank hung up" }));
    expect(await adminComplete(deal.admin, deal.id)).toMatchObject({
      code: "TRADE_ON_HOLD",
      current: "settlement_pending",
    });
    expect((await tradeNow(deal)).status).toBe("settlement_pending");
    await expectAccepted(
      resolvePayoutAsAdmin(deal.admin, id, { outcome: "sent", bankReference: reference() }),
    );
    expect((await tradeNow(deal)).status).toBe("completed");
    await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, id, { reason: "it is on no statement" }));
    const back = { outcome: "not_sent", reason: "the bank sent it back" } as const;
    expect(await resolvePayoutAsAdmin(deal.admin, id, back)).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
    await expectAccepted(resolvePayoutAsAdmin(await plantUser({ isAdmin: true }), id, back));
    await expectAccepted(adminCancel(deal.admin, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, records: ["refund 110000+0 escrow due"] });
    await assertSoundLedger();
  });

  test("needs an administrator who is not a party and has signed in recently", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    const id = await recordOf(deal, "payout");
    const own = { ...deal.seller, isAdmin: true };
    const demoted = { ...(await plantUser()), isAdmin: true };
    const stale = { ...deal.admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    const number = { bankReference: reference() };
    for (const [actor, code] of [
      [deal.seller, "ADMIN_REQUIRED"],
      [own, "OWN_TRADE"],
      [demoted, "ADMIN_REQUIRED"],
      [stale, "REAUTH_REQUIRED"],
    ] as const) {
      expect(await settleShownTrade(actor, deal.id, number)).toMatchObject({ code });
      expect(await approvePayout(actor, id)).toMatchObject({ code });
      expect(await sendPayout(actor, id, number)).toMatchObject({ code });
      expect(await adminComplete(actor, deal.id)).toMatchObject({ code });
    }
    expect(await sendPayout(deal.admin, 999_999, number)).toEqual({ ok: false, code: "PAYOUT_NOT_FOUND" });
    expect(await settleShownTrade(deal.admin, 999_999, number)).toEqual({
      ok: false,
      code: "TRANSACTION_NOT_FOUND",
    });
  });
});

describe("an administrator", () => {
  test("completes a trade with held money: it is sent immediately, and its reference follows", async () => {
    const deal = await createPaidTrade();
    expect(await adminComplete(deal.admin, deal.id)).toMatchObject({
      code: "DESTINATION_MISSING",
      current: "payment_confirmed",
    });
    await saveSellerAccount(deal);
    expect((await expectAccepted(adminComplete(deal.admin, deal.id))).trade).toMatchObject({
      status: "completed",
      endReason: "paid_out",
    });
    expect(await expectAccepted(adminComplete(deal.admin, deal.id))).toMatchObject({ changed: false });
    expect(await moneyOf(deal)).toEqual({
      held: 0,
      suspense: 0,
      records: ["payout 100000+10000 escrow sent"],
    });
    const id = await recordOf(deal, "payout");
    expect(await markPayoutDoneAsAdmin(deal.admin, id)).toMatchObject({ code: "BANK_REFERENCE_REQUIRED" });
    const given = await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }));
    expect(given.payout.referenceMissing).toBe(false);
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject({
      code: "MONEY_ALREADY_SENT",
      current: "completed",
    });
    await assertSoundLedger();
  });

  test("cancels a paid trade: the buyer's refund is due, and goes to the buyer's account", async () => {
    const deal = await createPaidTrade();
    expect(await deleteTransaction(deal.admin, deal.id)).toMatchObject({ code: "TRADE_UNDER_WAY" });
    await expectAccepted(adminCancel(deal.admin, deal.id));
    expect(await expectAccepted(adminCancel(deal.admin, deal.id))).toMatchObject({ changed: false });
    expect(await moneyOf(deal)).toEqual({
      held: 110_000,
      suspense: 0,
      records: ["refund 110000+0 escrow due"],
    });
    expect((await readMailTemplates(deal.buyer)).slice(2)).toEqual(["tradeCancelled"]);
    const mayDelete = () => runInTransaction((tx) => roomGuards.mayDelete(tx, deal.roomId));
    // The buyer is asked for the account in the room, so its creator cannot delete it.
    expect(await mayDelete()).toEqual({ ok: false, code: "MONEY_HELD", current: "cancelled" });
    expect(await settleShownTrade(deal.admin, deal.id, { bankReference: reference() })).toMatchObject({
      code: "DESTINATION_REQUIRED",
    });
    const saved = await saveRefundDestination(deal.buyer, deal.id, home);
    expect(saved.ok).toBe(true);
    const sent = await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }));
    expect(sent.trade).toMatchObject({ status: "cancelled", endReason: "admin", held: 0 });
    expect(await mayDelete()).toEqual({ ok: true });
    expect((await readNoticeCodes(deal)).slice(3)).toEqual([
      "adminCancelled",
      "refundDestinationGiven",
      "refundSent",
    ]);
    expect(await expectAccepted(deleteTransaction(deal.admin, deal.id))).toMatchObject({ changed: true });
    await assertSoundLedger();
  });
});

describe("cancelling together", () => {
  test("needs both sides, and can be withdrawn", async () => {
    const deal = await createPaidTrade();
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    expect(await expectAccepted(requestCancellation(deal.buyer, deal.id))).toMatchObject({ changed: false });
    expect(await confirmCompletion(deal.buyer, deal.id)).toMatchObject({ code: "CANCELLATION_PENDING" });
    await expectAccepted(withdrawCancellation(deal.buyer, deal.id));
    await expectAccepted(requestCancellation(deal.seller, deal.id));
    const agreed = await expectAccepted(requestCancellation(deal.buyer, deal.id));
    expect(agreed.trade).toMatchObject({ status: "cancelled", endReason: "agreed" });
    expect(await expectAccepted(requestCancellation(deal.seller, deal.id))).toMatchObject({ changed: false });
    expect(await confirmCompletion(deal.buyer, deal.id)).toMatchObject({
      code: "TRADE_OVERTAKEN",
      current: "cancelled",
    });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, records: ["refund 110000+0 escrow due"] });
  });
});
