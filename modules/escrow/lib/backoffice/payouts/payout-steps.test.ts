import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { keepPushDevice } from "#modules/mailer";
import { payoutsOf } from "#modules/payments";
import {
  approvePayout,
  ruleDispute,
  sendPayout,
  settleShownTrade,
} from "../../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { usePushService } from "../../../../../tests/support/services/use-push-service.ts";
import { plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  type PlantedUser,
  runAtTime,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { tradeNow } from "../../core/trade.fixture.ts";
import { takeDispute } from "../../disputes/mediate.ts";
import { openDispute } from "../../disputes/open-dispute.ts";
import { saveRefundDestination } from "../../information/refund-account.ts";
import { confirmManualPayment } from "../manual-payments/confirm.ts";
import { adminCancel, adminComplete } from "../transactions/administrator-commands.ts";
import {
  claimPayoutAsAdmin,
  markPayoutDoneAsAdmin,
  markPayoutUnknownAsAdmin,
  resolvePayoutAsAdmin,
  withdrawApprovalAsAdmin,
} from "./payout-steps.ts";
import { formatDestination } from "./run-payout-step.ts";

useDatabase();
useSandboxProvider();
const service = usePushService();
afterEach(() => overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined }));

const reason = "the bank's page broke off";
const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};
const reference = () => `FS${crypto.randomUUID().slice(0, 8).toUpperCase()}`;

type Due = PlantedTrade & { payout: number; second: PlantedUser };

async function withPayout(deal: PlantedTrade): Promise<Due> {
  const payout = (await payoutsOf(db(), deal.id)).at(-1)?.id ?? 0;
  return { ...deal, payout, second: await plantUser({ isAdmin: true, displayName: "Second" }) };
}

async function payoutDue(): Promise<Due> {
  const deal = await createPaidTrade();
  await confirmByBoth(deal);
  return withPayout(deal);
}

async function refundDue(): Promise<Due> {
  const deal = await createPaidTrade();
  await expectAccepted(adminCancel(deal.admin, deal.id));
  expect(await saveRefundDestination(deal.buyer, deal.id, home)).toMatchObject({ ok: true });
  return withPayout(deal);
}

/** A trade whose money a ruling has split between both parties. */
async function splitOf(): Promise<PlantedTrade> {
  const deal = await createPaidTrade();
  await saveSellerAccount(deal);
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
  await expectAccepted(takeDispute(deal.admin, deal.id));
  await expectAccepted(
    ruleDispute(deal.admin, deal.id, { ruling: "split", refundAmount: 40_000, sum: 40_000, reason }),
  );
  expect(await saveRefundDestination(deal.buyer, deal.id, home)).toMatchObject({ ok: true });
  return deal;
}

/** The mails to either party about money that left. */
async function toldOfMoney({ buyer, seller }: PlantedTrade) {
  const rows = await db().execute<{ user_id: number; template: string; data: unknown }>(sql`
    SELECT user_id::integer, template, data FROM mailer.messages
    WHERE user_id IN (${buyer.userId}, ${seller.userId}) AND template IN ('payoutSent', 'refundSent') ORDER BY id`);
  return [...rows];
}

/** The room's notices of a sent refund. */
async function noticed({ roomId }: PlantedTrade) {
  const rows = await db().execute<{ params: unknown }>(sql`
    SELECT params FROM rooms.messages WHERE room_id = ${roomId} AND code = 'refundSent'`);
  return rows.map(({ params }) => params);
}

describe("a payout", () => {
  test("is sent step by step; the seller is notified once it was sent, and the trade is complete", async () => {
    const deal = await payoutDue();
    const { admin, payout } = deal;
    const bankReference = reference();
    const approved = await expectAccepted(approvePayout(admin, payout));
    expect(approved).toMatchObject({ changed: true, payout: { id: payout, state: "approved" } });
    expect(approved.trade).toMatchObject({ status: "settlement_pending", held: 110_000, moneySent: false });
    expect(await expectAccepted(approvePayout(admin, payout))).toMatchObject({ changed: false });
    expect(await toldOfMoney(deal)).toEqual([]);
    const at = new Date();
    const sent = await runAtTime(at, () => expectAccepted(sendPayout(admin, payout, { bankReference })));
    expect(sent).toMatchObject({ changed: true, payout: { state: "sent", bankReference } });
    expect(sent.trade).toMatchObject({ status: "completed", held: 0, moneySent: true });
    expect(await expectAccepted(sendPayout(admin, payout, { bankReference }))).toMatchObject({
      changed: false,
    });
    const done = await runAtTime(at, () => expectAccepted(markPayoutDoneAsAdmin(deal.second, payout)));
    expect(done).toMatchObject({ changed: true, payout: { state: "done" } });
    const { code } = await tradeNow(deal);
    const data = {
      // Nobody has verified this address, so its mail contains no name.
      ...{ name: "", code, url: `/chat/${deal.roomId}`, amount: 100_000 },
      ...{ goods: "other", price: 100_000 },
      ...{ destination: "Khan Bank ••••5678", reference: bankReference },
    };
    expect(await toldOfMoney(deal)).toEqual([{ user_id: deal.seller.userId, template: "payoutSent", data }]);
    expect(await noticed(deal)).toEqual([]);
  });

  test("that closed its trade without the bank reference gets it later by either way, and nobody is notified twice", async () => {
    for (const give of ["send", "settle"] as const) {
      const deal = await payoutDue();
      const { admin, id, payout } = deal;
      await expectAccepted(adminComplete(admin, id));
      const before = await toldOfMoney(deal);
      const bankReference = reference();
      const given =
        give === "send"
          ? await expectAccepted(sendPayout(admin, payout, { bankReference }))
          : await expectAccepted(settleShownTrade(admin, id, { bankReference }));
      expect(given).toMatchObject({ changed: true, trade: { status: "completed" } });
      expect(given.payout).toMatchObject({ state: "sent", bankReference, referenceMissing: false });
      expect(await toldOfMoney(deal)).toEqual(before);
      expect(await expectAccepted(settleShownTrade(admin, id, { bankReference }))).toMatchObject({
        changed: false,
      });
    }
  });

  test("in doubt that was sent is announced then; one that was not is due again, and nobody is notified", async () => {
    const [left, kept] = [await payoutDue(), await payoutDue()];
    for (const { admin, payout } of [left, kept]) {
      await expectAccepted(approvePayout(admin, payout));
      const doubted = await expectAccepted(markPayoutUnknownAsAdmin(admin, payout, { reason }));
      expect(doubted).toMatchObject({ changed: true, payout: { state: "unknown" } });
    }
    const bankReference = reference();
    const found = await expectAccepted(
      resolvePayoutAsAdmin(left.admin, left.payout, { outcome: "sent", bankReference }),
    );
    expect(found).toMatchObject({ payout: { state: "sent" }, trade: { status: "completed" } });
    expect(await toldOfMoney(left)).toMatchObject([{ template: "payoutSent" }]);
    const again = await expectAccepted(
      resolvePayoutAsAdmin(kept.admin, kept.payout, { outcome: "not_sent", reason }),
    );
    expect(again).toMatchObject({ payout: { state: "due" }, trade: { status: "settlement_pending" } });
    expect(await toldOfMoney(kept)).toEqual([]);
  });
});

test("when a refund was sent, its buyer is notified by mail and both in the room", async () => {
  const deal = await refundDue();
  const bankReference = reference();
  await expectAccepted(approvePayout(deal.admin, deal.payout));
  expect(await noticed(deal)).toEqual([]);
  await expectAccepted(sendPayout(deal.admin, deal.payout, { bankReference }));
  await expectAccepted(markPayoutDoneAsAdmin(deal.second, deal.payout));
  const { code } = await tradeNow(deal);
  expect(await noticed(deal)).toEqual([{ transactionId: deal.id, code, amount: 110_000 }]);
  const data = {
    ...{ name: "", code, url: `/chat/${deal.roomId}`, amount: 110_000 },
    ...{ goods: "other", price: 100_000 },
    ...{ destination: "Golomt Bank ••••3456", reference: bankReference },
  };
  expect(await toldOfMoney(deal)).toEqual([{ user_id: deal.buyer.userId, template: "refundSent", data }]);
});

test("steps of money need the right, and those that move money need a fresh login", async () => {
  const deal = await payoutDue();
  const { admin, buyer, payout } = deal;
  const verbs = {
    approve: (who: PlantedUser, id = payout) => approvePayout(who, id),
    claim: (who: PlantedUser, id = payout) => claimPayoutAsAdmin(who, id),
    send: (who: PlantedUser, id = payout) => sendPayout(who, id, { bankReference: reference() }),
    resolve: (who: PlantedUser, id = payout) =>
      resolvePayoutAsAdmin(who, id, { outcome: "not_sent", reason }),
    withdraw: (who: PlantedUser, id = payout) => withdrawApprovalAsAdmin(who, id, { reason }),
    done: (who: PlantedUser, id = payout) => markPayoutDoneAsAdmin(who, id),
    unknown: (who: PlantedUser, id = payout) => markPayoutUnknownAsAdmin(who, id, { reason }),
    settle: (who: PlantedUser, id = payout) =>
      settleShownTrade(who, id === payout ? deal.id : id, { bankReference: reference() }),
  };
  const stale = { ...admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
  const own = { ...buyer, isAdmin: true };
  const codes: Record<string, unknown[]> = {};
  for (const [name, verb] of Object.entries(verbs)) {
    const tried = [await verb(buyer), await verb(own), await verb(admin, 999_999), await verb(stale)];
    codes[name] = tried.map((answer) => (answer.ok ? "ok" : answer.code));
  }
  const before = ["ADMIN_REQUIRED", "OWN_TRADE", "PAYOUT_NOT_FOUND"];
  const moves = [...before, "REAUTH_REQUIRED"];
  expect(codes).toEqual({
    ...{ approve: moves, claim: moves, send: moves, resolve: moves },
    ...{ withdraw: [...before, "ok"], done: [...before, "PAYOUT_CONFLICT"] },
    ...{ unknown: [...before, "PAYOUT_CONFLICT"] },
    settle: ["ADMIN_REQUIRED", "OWN_TRADE", "TRANSACTION_NOT_FOUND", "REAUTH_REQUIRED"],
  });
  await db().execute(sql`UPDATE identity.users SET is_admin = false WHERE id = ${admin.userId}`);
  expect(await approvePayout(admin, payout)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  expect((await payoutsOf(db(), deal.id)).map(({ state }) => state)).toEqual(["due"]);
});

describe("the maker of a transfer that another administrator takes over", () => {
  async function pushed({ userId }: PlantedUser) {
    const rows = await db().execute<Record<string, unknown>>(sql`
      SELECT event, params, url FROM mailer.pushes WHERE user_id = ${userId} ORDER BY id`);
    return [...rows];
  }

  test("is notified, whether it is taken over or withdrawn, and not of their own steps", async () => {
    const deal = await payoutDue();
    const { admin, second, payout } = deal;
    for (const { userId } of [admin, second]) {
      const owner = { userId, sessionId: userId, device: "a test", at: new Date() };
      await runInTransaction((tx) => keepPushDevice(tx, owner, service.browser()));
    }
    await expectAccepted(approvePayout(admin, payout));
    const taken = { code: "PAYOUT_CLAIMED", params: { name: "Bat Erdene" }, current: "settlement_pending" };
    expect(await claimPayoutAsAdmin(second, payout)).toMatchObject(taken);
    expect(await pushed(admin)).toEqual([]);
    const over = { from: admin.userId };
    expect(await expectAccepted(claimPayoutAsAdmin(second, payout, over))).toMatchObject({ changed: true });
    expect(await expectAccepted(claimPayoutAsAdmin(second, payout, over))).toMatchObject({ changed: false });
    const { code } = await tradeNow(deal);
    const told = (other: string) => ({
      ...{ event: "transferTaken", url: `/admin/payouts/${payout}`, params: { code, other } },
    });
    expect(await pushed(admin)).toEqual([told("Second")]);
    await expectAccepted(withdrawApprovalAsAdmin(admin, payout, { reason, from: second.userId }));
    expect(await pushed(second)).toEqual([told("Bat Erdene")]);
    await expectAccepted(approvePayout(admin, payout));
    await expectAccepted(withdrawApprovalAsAdmin(admin, payout, { reason }));
    expect([await pushed(admin), await pushed(second)]).toEqual([[told("Second")], [told("Bat Erdene")]]);
  });
});

describe("settling in one step", () => {
  test("settles the trade's payout, then its refund; repeating the last reference changes nothing, and void records are skipped", async () => {
    const deal = await splitOf();
    // A payout that was in doubt and had not left is due again as a new record, later than the refund's.
    const first = (await payoutsOf(db(), deal.id))[0]?.id ?? 0;
    await expectAccepted(approvePayout(deal.admin, first));
    await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, first, { reason }));
    await expectAccepted(resolvePayoutAsAdmin(deal.admin, first, { outcome: "not_sent", reason }));
    const numbers: [string, string] = [reference(), reference()];
    const steps = [];
    for (const bankReference of [...numbers, ...numbers.slice(1)]) {
      const { changed, payout, trade } = await expectAccepted(
        settleShownTrade(deal.admin, deal.id, { bankReference }),
      );
      steps.push([changed, payout.kind, payout.amount, payout.bankReference, trade.status]);
    }
    expect(steps).toEqual([
      [true, "payout", 60_000, numbers[0], "settlement_pending"],
      [true, "refund", 40_000, numbers[1], "completed"],
      [false, "refund", 40_000, numbers[1], "completed"],
    ]);
    expect(await moneyOf(deal)).toMatchObject({ held: 0 });
  });

  test("uses only the account that was shown, and needs two people above the limit", async () => {
    const deal = await payoutDue();
    const bankReference = reference();
    const other = { bankReference, destinationDigest: "of another account" };
    expect(await settleShownTrade(deal.admin, deal.id, other)).toMatchObject({
      ...{ ok: false, code: "PAYOUT_CONFLICT", current: "settlement_pending" },
    });
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50_000 });
    expect(await settleShownTrade(deal.admin, deal.id, { bankReference })).toMatchObject({
      ...{ ok: false, code: "FOUR_EYES_REQUIRED", current: "settlement_pending" },
    });
    expect((await payoutsOf(db(), deal.id)).map(({ state }) => state)).toEqual(["due"]);
  });

  test("of a split settles the seller's part first, whether due, approved, or closed without the bank reference", async () => {
    for (const stand of ["due", "approved", "closed"]) {
      const deal = await splitOf();
      const first = (await payoutsOf(db(), deal.id))[0]?.id ?? 0;
      if (stand === "approved") await expectAccepted(approvePayout(deal.admin, first));
      if (stand === "closed") {
        await expectAccepted(openDispute(deal.seller, deal.id, { reason }));
        await expectAccepted(takeDispute(deal.admin, deal.id));
        await expectAccepted(adminComplete(deal.admin, deal.id));
      }
      const kinds = [];
      for (let step = 0; step < 2; step++) {
        kinds.push(
          (await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }))).payout
            .kind,
        );
      }
      expect([stand, ...kinds]).toEqual([stand, "payout", "refund"]);
    }
  });

  test("waits for an account if there is none", async () => {
    const deal = await createPaidTrade();
    await expectAccepted(adminCancel(deal.admin, deal.id));
    expect(await settleShownTrade(deal.admin, deal.id, { bankReference: reference() })).toMatchObject({
      ...{ ok: false, code: "DESTINATION_REQUIRED", current: "cancelled" },
    });
  });

  test("does nothing if nothing is due", async () => {
    const [running, over] = [await createPaidTrade(), await payoutDue()];
    // The overpaid amount has a refund of its own, with steps of its own.
    const slip = { amount: 10_000, reference: reference() };
    for (const who of [running.admin, over.second])
      await expectAccepted(confirmManualPayment(who, running.id, slip));
    expect((await moneyOf(running)).records).toEqual(["refund 10000+0 suspense due"]);
    const nothing = (current: string) => ({ ok: false, code: "NOTHING_DUE", current });
    expect(await settleShownTrade(running.admin, running.id, { bankReference: reference() })).toMatchObject(
      nothing("payment_confirmed"),
    );
    await expectAccepted(openDispute(over.buyer, over.id, { reason }));
    expect(await settleShownTrade(over.admin, over.id, { bankReference: reference() })).toMatchObject(
      nothing("disputed"),
    );
  });
});

describe("what an administrator may still do with a trade", () => {
  test("is to complete it as another ruled, not to change the ruling", async () => {
    const deal = await splitOf();
    const other = await plantUser({ isAdmin: true });
    expect(await adminCancel(other, deal.id)).toMatchObject({ code: "DISPUTE_TAKEN" });
    expect(await saveRefundDestination(deal.buyer, deal.id, home)).toMatchObject({ ok: true });
    await expectAccepted(adminComplete(other, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ held: 0 });
  });

  test("is to cancel it while an overpayment is being refunded", async () => {
    const deal = { ...(await createPaidTrade()), second: await plantUser({ isAdmin: true }) };
    const slip = { amount: 10_000, reference: reference() };
    for (const who of [deal.admin, deal.second])
      await expectAccepted(confirmManualPayment(who, deal.id, slip));
    expect(await saveRefundDestination(deal.buyer, deal.id, home)).toMatchObject({ ok: true });
    const excess = (await payoutsOf(db(), deal.id))[0]?.id ?? 0;
    await expectAccepted(approvePayout(deal.admin, excess));
    await expectAccepted(adminCancel(deal.second, deal.id));
    expect((await moneyOf(deal)).records).toEqual([
      ...["refund 10000+0 suspense approved", "refund 110000+0 escrow due"],
    ]);
  });

  test("is not to cancel it once some of its money was sent", async () => {
    const deal = await splitOf();
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }));
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject({ code: "MONEY_ALREADY_SENT" });
  });
});

test("an account is described by its bank and last four digits, and an unknown one not at all", () => {
  expect(formatDestination(home)).toBe("Golomt Bank ••••3456");
  expect(formatDestination(null)).toBe("");
});
