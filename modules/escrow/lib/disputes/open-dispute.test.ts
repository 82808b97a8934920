import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db } from "#db/client";
import { payoutsOf } from "#modules/payments";
import {
  approvePayout,
  ruleDispute,
  sendPayout,
  settleShownTrade,
} from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  assertSoundLedger,
  confirmByBoth,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  readAuditActions,
  readMailTemplates,
  readNoticeCodes,
  runAtTime,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { confirmInDispute, withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import { withdrawApprovalAsAdmin } from "../backoffice/payouts/payout-steps.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { confirmCompletion, confirmReceipt, requestCancellation } from "../trade/party-commands.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { casesOf, everyCase } from "./dispute-cases.ts";
import { takeDispute, writeAsMediator } from "./mediate.ts";
import { explainDispute, openDispute, withdrawDispute as withdrawNamed } from "./open-dispute.ts";

useDatabase();
useSandboxProvider();
afterEach(() => overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined }));

const reason = "the account was taken back";
const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};
const reference = () => `FS${crypto.randomUUID().slice(0, 8)}`;

const dueOf = async (deal: PlantedTrade) => (await payoutsOf(db(), deal.id))[0]?.id ?? 0;

/** The audit entries of disputes that could not be opened. */
async function wanted(deal: PlantedTrade) {
  const rows = await db().execute<{ data: object }>(sql`SELECT data - 'digest' AS data FROM audit.entries
    WHERE action = 'transaction.want_dispute' AND subject_id = ${String(deal.id)} ORDER BY id`);
  return rows.map(({ data }) => data);
}

async function disputed() {
  const deal = await createPaidTrade();
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
  return deal;
}

describe("a dispute", () => {
  test("pauses everything until its opener withdraws it", async () => {
    const deal = await createPaidTrade();
    const before = await tradeNow(deal);
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
    expect(await expectAccepted(openDispute(deal.buyer, deal.id, { reason }))).toMatchObject({
      changed: false,
    });
    expect(await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "another" }))).toMatchObject({
      changed: false,
    });
    expect(await openDispute(deal.seller, deal.id, { reason })).toMatchObject({ code: "DISPUTE_OPEN" });
    expect(await wanted(deal)).toEqual([]);
    expect((await casesOf(db(), deal.id)).map(({ statements }) => statements.length)).toEqual([1]);
    expect(await withdrawDispute(deal.seller, deal.id)).toMatchObject({ code: "DISPUTE_NOT_YOURS" });
    expect(await readMailTemplates(deal.seller)).toContain("disputeOpened");
    const hours = 3_600_000;
    const after = new Date(Date.now() + 5 * hours);
    const back = await runAtTime(after, () => expectAccepted(withdrawDispute(deal.buyer, deal.id)));
    expect(back.trade).toMatchObject({ status: "payment_confirmed", dispute: { outcome: "withdrawn" } });
    const [was, is] = [before, await tradeNow(deal)].map(
      (trade) => trade.deadlines.hand_over?.dueAt.getTime() ?? 0,
    );
    expect(Math.round(((is ?? 0) - (was ?? 0)) / hours)).toBe(5);
    expect(Object.keys((await tradeNow(deal)).deadlines)).toEqual(["hand_over"]);
  });

  test("is withdrawn by its name only: an earlier one's withdrawal changes nothing", async () => {
    const deal = await disputed();
    const nameOfLatest = async () => ({ openedAt: (await casesOf(db(), deal.id)).at(-1)?.openedAt });
    const first = await nameOfLatest();
    expect(await withdrawNamed(deal.buyer, deal.id)).toMatchObject({ code: "DISPUTE_CHANGED" });
    expect(await withdrawNamed(deal.seller, deal.id, first)).toMatchObject({ code: "DISPUTE_NOT_YOURS" });
    await expectAccepted(withdrawNamed(deal.buyer, deal.id, first));
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "it happened again" }));
    for (const shown of [first, {}]) {
      expect(await withdrawNamed(deal.buyer, deal.id, shown)).toEqual({
        ...{ ok: false, code: "DISPUTE_CHANGED", current: "disputed" },
      });
    }
    expect((await tradeNow(deal)).status).toBe("disputed");
    const second = await nameOfLatest();
    expect(await expectAccepted(withdrawNamed(deal.buyer, deal.id, second))).toMatchObject({ changed: true });
    for (const shown of [first, second, {}]) {
      const repeated = await expectAccepted(withdrawNamed(deal.buyer, deal.id, shown));
      expect(repeated).toMatchObject({ changed: false });
    }
  });

  test("accepts statements of both sides, until their time has passed", async () => {
    const deal = await disputed();
    expect(
      await expectAccepted(explainDispute(deal.seller, deal.id, { reason: "it was not" })),
    ).toMatchObject({
      changed: true,
    });
    expect(
      await expectAccepted(explainDispute(deal.seller, deal.id, { reason: "it was not" })),
    ).toMatchObject({
      changed: false,
    });
    expect(Object.keys((await tradeNow(deal)).deadlines).sort()).toEqual(["dispute_ruling", "hand_over"]);
    const said = await db().execute(sql`SELECT by_role, body FROM escrow.dispute_statements s
      JOIN escrow.disputes d ON d.id = s.dispute_id WHERE d.trade_id = ${deal.id} ORDER BY s.id`);
    expect([...said]).toEqual([
      { by_role: "buyer", body: reason },
      { by_role: "seller", body: "it was not" },
    ]);
    await expectAccepted(withdrawDispute(deal.buyer, deal.id));
    expect(await explainDispute(deal.seller, deal.id, { reason })).toMatchObject({ code: "TRADE_OVERTAKEN" });
  });

  test("accepts twenty statements per side, also while the other side is at its limit, and shows them all", async () => {
    const deal = await disputed();
    for (let n = 2; n <= 20; n++)
      await expectAccepted(explainDispute(deal.buyer, deal.id, { reason: `No. ${n}` }));
    const logged = await readAuditActions(deal);
    for (const word of ["one more", "and another"]) {
      expect(await explainDispute(deal.buyer, deal.id, { reason: word })).toEqual({
        ...{ ok: false, code: "STATEMENT_TOO_OFTEN", current: "disputed" },
      });
    }
    expect(await readAuditActions(deal)).toEqual(logged);
    expect(await expectAccepted(explainDispute(deal.buyer, deal.id, { reason: "No. 20" }))).toMatchObject({
      changed: false,
    });
    expect((await tradeNow(deal)).deadlines.dispute_statements).toBeDefined();
    await expectAccepted(explainDispute(deal.seller, deal.id, { reason: "it was not" }));
    expect((await tradeNow(deal)).deadlines.dispute_statements).toBeUndefined();
    await expectAccepted(takeDispute(deal.admin, deal.id));
    for (const words of ["What was the login?", "And its mail?"]) {
      await expectAccepted(writeAsMediator(deal.admin, deal.id, { words }));
    }
    const seen = await expectAccepted(readTrade(deal.seller, deal.id));
    expect(seen.trade.dispute?.statements.map(({ by, body }) => `${by}: ${body}`)).toEqual([
      `buyer: ${reason}`,
      ...Array.from({ length: 19 }, (_, n) => `buyer: No. ${n + 2}`),
      ...["seller: it was not", "admin: What was the login?", "admin: And its mail?"],
    ]);
    await expectAccepted(withdrawDispute(deal.buyer, deal.id));
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "it happened again" }));
    await expectAccepted(explainDispute(deal.buyer, deal.id, { reason: "one more" }));
  });

  test("shows its latest statements and the trade's latest disputes; evidence has all", async () => {
    const deal = await disputed();
    await db().execute(sql`INSERT INTO escrow.dispute_statements (dispute_id, by_role, by_user, body, at)
      SELECT d.id, 'admin', ${deal.admin.userId}, 'Word ' || n, now() FROM escrow.disputes d, generate_series(1, 250) n
      WHERE d.trade_id = ${deal.id}`);
    const bodies = (statements: Array<{ body: string }> = []) => statements.map(({ body }) => body);
    const latest = Array.from({ length: 200 }, (_, n) => `Word ${n + 51}`);
    const seen = await expectAccepted(readTrade(deal.seller, deal.id));
    expect(bodies(seen.trade.dispute?.statements)).toEqual(latest);
    expect(bodies((await casesOf(db(), deal.id))[0]?.statements)).toEqual(latest);
    expect((await everyCase(db(), deal.id))[0]?.statements).toHaveLength(251);
    // Administrators have no limit of statements.
    await expectAccepted(takeDispute(deal.admin, deal.id));
    await expectAccepted(writeAsMediator(deal.admin, deal.id, { words: "One more" }));
    expect(bodies((await everyCase(db(), deal.id))[0]?.statements).slice(-2)).toEqual([
      "Word 250",
      "One more",
    ]);
    // More than one person may open in a day.
    overrideConfig({ THROTTLE_FACTOR: 3 });
    try {
      for (let n = 0; n < 21; n++) {
        await expectAccepted(withdrawDispute(deal.buyer, deal.id));
        await expectAccepted(openDispute(deal.buyer, deal.id, { reason: `Opened ${n}` }));
      }
    } finally {
      overrideConfig({ THROTTLE_FACTOR: 1 });
    }
    const cases = await casesOf(db(), deal.id);
    expect(cases.map(({ statements }) => statements[0]?.body)).toEqual(
      Array.from({ length: 20 }, (_, n) => `Opened ${n + 1}`),
    );
    expect((await expectAccepted(readTrade(deal.seller, deal.id))).trade.dispute).toEqual(
      cases.at(-1) ?? null,
    );
    expect(await everyCase(db(), deal.id)).toHaveLength(22);
  });

  test("does not stop a transfer that is being made, because it could be paid twice", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    const id = await dueOf(deal);
    await expectAccepted(approvePayout(deal.admin, id));
    for (let press = 0; press < 2; press++) {
      expect(await openDispute(deal.seller, deal.id, { reason })).toMatchObject({
        code: "PAYOUT_APPROVED",
        current: "settlement_pending",
        textKey: "trade.transferUnderWay",
      });
    }
    expect(await wanted(deal)).toEqual([{ who: "seller" }, { who: "seller" }]);
    expect(await moneyOf(deal)).toMatchObject({ records: ["payout 100000+10000 escrow approved"] });
    await expectAccepted(withdrawApprovalAsAdmin(deal.admin, id, { reason: "the seller wants a dispute" }));
    await expectAccepted(openDispute(deal.seller, deal.id, { reason }));
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
  });

  test("cannot be opened for an ended trade, and the maker of its refund is not notified", async () => {
    const deal = await createPaidTrade();
    await expectAccepted(adminCancel(deal.admin, deal.id));
    await saveRefundDestination(deal.buyer, deal.id, home);
    await expectAccepted(approvePayout(deal.admin, await dueOf(deal)));
    expect(await openDispute(deal.buyer, deal.id, { reason })).toMatchObject({
      code: "TRADE_OVERTAKEN",
      current: "cancelled",
    });
    expect(await wanted(deal)).toEqual([]);
  });

  test("and an approval at the same moment leave either the dispute or the transfer", async () => {
    for (let round = 0; round < 5; round++) {
      const deal = await createPaidTrade();
      await confirmByBoth(deal);
      const id = await dueOf(deal);
      const [opened, approved] = await Promise.all([
        openDispute(deal.buyer, deal.id, { reason }),
        approvePayout(deal.admin, id),
      ]);
      expect([opened.ok, approved.ok].filter(Boolean)).toHaveLength(1);
      const { status } = await tradeNow(deal);
      expect(status).toBe(opened.ok ? "disputed" : "settlement_pending");
    }
  });

  test("voids a payout that is due, or approved and unclaimed, and it is due again when withdrawn", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    const id = await dueOf(deal);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 1_000 });
    await expectAccepted(approvePayout(deal.admin, id));
    await expectAccepted(openDispute(deal.seller, deal.id, { reason }));
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
    expect(await sendPayout(deal.admin, id, { bankReference: reference() })).toMatchObject({
      code: "PAYOUT_CONFLICT",
    });
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined });
    await expectAccepted(withdrawDispute(deal.seller, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ records: ["payout 100000+10000 escrow due"] });
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }));
    expect(await openDispute(deal.buyer, deal.id, { reason })).toMatchObject({
      code: "TRADE_OVERTAKEN",
      current: "completed",
    });
  });

  test("ends by a confirmation that names it only: one that named an earlier dispute pays nobody", async () => {
    const deal = await disputed();
    const confirm = async (endsDispute?: string) => confirmCompletion(deal.buyer, deal.id, { endsDispute });
    const earlier = (await casesOf(db(), deal.id)).at(-1)?.openedAt;
    await expectAccepted(withdrawDispute(deal.buyer, deal.id));
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "it happened again" }));
    for (const [stale, code] of [
      [earlier, "DISPUTE_CHANGED"],
      [undefined, "DISPUTE_OPEN"],
    ] as const) {
      expect(await confirm(stale)).toMatchObject({ code, current: "disputed" });
      const receipt = confirmReceipt(deal.buyer, deal.id, "otherwise", { endsDispute: stale });
      expect(await receipt).toMatchObject({ code });
    }
    expect((await moneyOf(deal)).records).toEqual([]);
    await expectAccepted(confirm((await casesOf(db(), deal.id)).at(-1)?.openedAt));
  });

  test("ends by the buyer's release, or by both cancelling", async () => {
    const released = await disputed();
    await saveSellerAccount(released);
    // A confirmation from before the dispute arrives again.
    expect(await confirmCompletion(released.buyer, released.id)).toMatchObject({ code: "DISPUTE_OPEN" });
    expect((await expectAccepted(confirmInDispute(released.buyer, released.id))).trade).toMatchObject({
      status: "settlement_pending",
      dispute: { outcome: "released" },
    });
    expect(await moneyOf(released)).toMatchObject({ records: ["payout 100000+10000 escrow due"] });
    const cancelled = await disputed();
    await expectAccepted(requestCancellation(cancelled.seller, cancelled.id));
    await expectAccepted(requestCancellation(cancelled.buyer, cancelled.id));
    expect(await tradeNow(cancelled)).toMatchObject({
      status: "cancelled",
      dispute: { outcome: "cancelled" },
    });
  });

  test("is ruled by an administrator who is not a party; a split pays both", async () => {
    const deal = await disputed();
    await saveSellerAccount(deal);
    const split = {
      ruling: "split",
      refundAmount: 40_000,
      sum: 40_000,
      reason: "half of it worked",
    } as const;
    expect(await ruleDispute({ ...deal.buyer, isAdmin: true }, deal.id, split)).toMatchObject({
      code: "OWN_TRADE",
    });
    expect(await ruleDispute(deal.buyer, deal.id, split)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await ruleDispute(deal.admin, deal.id, { ...split, refundAmount: 100_000 })).toMatchObject({
      code: "SPLIT_OUT_OF_RANGE",
    });
    await expectAccepted(ruleDispute(deal.admin, deal.id, split));
    expect(await expectAccepted(ruleDispute(deal.admin, deal.id, split))).toMatchObject({ changed: false });
    expect(await moneyOf(deal)).toEqual({
      held: 110_000,
      suspense: 0,
      records: ["payout 60000+10000 escrow due", "refund 40000+0 escrow due"],
    });
    expect(
      (await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }))).trade
        .status,
    ).toBe("settlement_pending");
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject({ code: "MONEY_ALREADY_SENT" });
    await saveRefundDestination(deal.buyer, deal.id, home);
    expect(
      (await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }))).trade
        .status,
    ).toBe("completed");
    // The completion's notice names both parts: the refund that was the last of it needs none of its own.
    expect((await readNoticeCodes(deal)).slice(-3)).toEqual([
      "ruledSplit",
      "refundDestinationGiven",
      "settledSplit",
    ]);
    const [{ params } = {}] = await db().execute<{ params: unknown }>(
      sql`SELECT params FROM rooms.messages WHERE room_id = ${deal.roomId} AND code = 'settledSplit'`,
    );
    expect(params).toMatchObject({ refund: 40_000, rest: 60_000 });
    await assertSoundLedger();
  });

  test("opened against a split and withdrawn leaves the split as it was ruled", async () => {
    const deal = await disputed();
    await saveSellerAccount(deal);
    const split = {
      ruling: "split",
      refundAmount: 40_000,
      sum: 40_000,
      reason: "half of it worked",
    } as const;
    await expectAccepted(ruleDispute(deal.admin, deal.id, split));
    const due = ["payout 60000+10000 escrow due", "refund 40000+0 escrow due"];
    for (const party of [deal.seller, deal.buyer, deal.seller]) {
      await expectAccepted(openDispute(party, deal.id, { reason }));
      expect((await moneyOf(deal)).records).toEqual([]);
      await expectAccepted(withdrawDispute(party, deal.id));
      expect((await moneyOf(deal)).records).toEqual(due);
    }
    await expectAccepted(openDispute(deal.seller, deal.id, { reason }));
    await expectAccepted(confirmInDispute(deal.buyer, deal.id));
    expect((await moneyOf(deal)).records).toEqual(["payout 100000+10000 escrow due"]);
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
    await expectAccepted(withdrawDispute(deal.buyer, deal.id));
    expect((await moneyOf(deal)).records).toEqual(["payout 100000+10000 escrow due"]);
    await assertSoundLedger();
  });
});
