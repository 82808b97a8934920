import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { configure } from "#config";
import { db, transaction } from "#db/client";
import { keepPushDevice } from "#modules/mailer";
import { payoutsOf } from "#modules/payments";
import { approvePayout, ruleDispute, sendPayout, settle } from "../../../../../tests/support/back-office.ts";
import { useDatabase } from "../../../../../tests/support/database.ts";
import {
  bothConfirm,
  type Deal,
  giveAccount,
  later,
  moneyOf,
  must,
  paid,
  type Someone,
  useMarket,
} from "../../../../../tests/support/market.ts";
import { plantUser } from "../../../../../tests/support/trade.ts";
import { usePushService } from "../../../../../tests/support/use-push-service.ts";
import { tradeNow } from "../../core/trade.fixture.ts";
import { takeDispute } from "../../disputes/mediate.ts";
import { openDispute } from "../../disputes/open-dispute.ts";
import { saveRefundDestination } from "../../information/refund-account.ts";
import { confirmByHand } from "../manual-payments/confirm.ts";
import { adminCancel, adminComplete } from "../transactions/administrator-commands.ts";
import {
  claimPayout,
  payoutDone,
  payoutUnknown,
  resolvePayout,
  whereTo,
  withdrawApproval,
} from "./payout-steps.ts";

useDatabase();
useMarket();
const service = usePushService();
afterEach(() => configure({ PAYOUT_FOUR_EYES_ABOVE: undefined }));

const reason = "the bank's page broke off";
const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};
const reference = () => `FS${crypto.randomUUID().slice(0, 8).toUpperCase()}`;

type Due = Deal & { payout: number; second: Someone };

async function withPayout(deal: Deal): Promise<Due> {
  const payout = (await payoutsOf(db(), deal.id)).at(-1)?.id ?? 0;
  return { ...deal, payout, second: await plantUser({ isAdmin: true, displayName: "Second" }) };
}

async function payoutDue(): Promise<Due> {
  const deal = await paid();
  await bothConfirm(deal);
  return withPayout(deal);
}

async function refundDue(): Promise<Due> {
  const deal = await paid();
  await must(adminCancel(deal.admin, deal.id));
  expect(await saveRefundDestination(deal.buyer, deal.id, home)).toMatchObject({ ok: true });
  return withPayout(deal);
}

/** A trade whose money goes to both, by the ruling of its administrator. */
async function splitOf(): Promise<Deal> {
  const deal = await paid();
  await giveAccount(deal);
  await must(openDispute(deal.buyer, deal.id, { reason }));
  await must(takeDispute(deal.admin, deal.id));
  await must(
    ruleDispute(deal.admin, deal.id, { ruling: "split", refundAmount: 40_000, sum: 40_000, reason }),
  );
  expect(await saveRefundDestination(deal.buyer, deal.id, home)).toMatchObject({ ok: true });
  return deal;
}

/** What was mailed of money that left, to either side. */
async function toldOfMoney({ buyer, seller }: Deal) {
  const rows = await db().execute<{ user_id: number; template: string; data: unknown }>(sql`
    SELECT user_id::integer, template, data FROM mailer.messages
    WHERE user_id IN (${buyer.userId}, ${seller.userId}) AND template IN ('payoutSent', 'refundSent') ORDER BY id`);
  return [...rows];
}

/** The notice of a refund that was sent, as the room has it. */
async function noticed({ roomId }: Deal) {
  const rows = await db().execute<{ params: unknown }>(sql`
    SELECT params FROM rooms.messages WHERE room_id = ${roomId} AND code = 'refundSent'`);
  return rows.map(({ params }) => params);
}

describe("a payout", () => {
  test("leaves step by step; the seller is told once it has left, and the trade is complete", async () => {
    const deal = await payoutDue();
    const { admin, payout } = deal;
    const bankReference = reference();
    const approved = await must(approvePayout(admin, payout));
    expect(approved).toMatchObject({ changed: true, payout: { id: payout, state: "approved" } });
    expect(approved.trade).toMatchObject({ status: "settlement_pending", held: 110_000, moneySent: false });
    expect(await must(approvePayout(admin, payout))).toMatchObject({ changed: false });
    expect(await toldOfMoney(deal)).toEqual([]);
    const at = new Date();
    const sent = await later(at, () => must(sendPayout(admin, payout, { bankReference })));
    expect(sent).toMatchObject({ changed: true, payout: { state: "sent", bankReference } });
    expect(sent.trade).toMatchObject({ status: "completed", held: 0, moneySent: true });
    expect(await must(sendPayout(admin, payout, { bankReference }))).toMatchObject({ changed: false });
    const done = await later(at, () => must(payoutDone(deal.second, payout)));
    expect(done).toMatchObject({ changed: true, payout: { state: "done" } });
    const { code } = await tradeNow(deal);
    const data = {
      // Nobody has proved this address: its mail names nobody.
      ...{ name: "", code, url: `/chat/${deal.roomId}`, amount: 100_000 },
      ...{ destination: "Khan Bank ••5678", reference: bankReference },
    };
    expect(await toldOfMoney(deal)).toEqual([{ user_id: deal.seller.userId, template: "payoutSent", data }]);
    expect(await noticed(deal)).toEqual([]);
  });

  test("that closed its trade without the bank's number gets it by either door, and nobody is told twice", async () => {
    for (const give of ["send", "settle"] as const) {
      const deal = await payoutDue();
      const { admin, id, payout } = deal;
      await must(adminComplete(admin, id));
      const before = await toldOfMoney(deal);
      const bankReference = reference();
      const given =
        give === "send"
          ? await must(sendPayout(admin, payout, { bankReference }))
          : await must(settle(admin, id, { bankReference }));
      expect(given).toMatchObject({ changed: true, trade: { status: "completed" } });
      expect(given.payout).toMatchObject({ state: "sent", bankReference, referenceMissing: false });
      expect(await toldOfMoney(deal)).toEqual(before);
      expect(await must(settle(admin, id, { bankReference }))).toMatchObject({ changed: false });
    }
  });

  test("in doubt that turns out to have left is told of then; one that had not is due again, and nobody is told", async () => {
    const [left, kept] = [await payoutDue(), await payoutDue()];
    for (const { admin, payout } of [left, kept]) {
      await must(approvePayout(admin, payout));
      const doubted = await must(payoutUnknown(admin, payout, { reason }));
      expect(doubted).toMatchObject({ changed: true, payout: { state: "unknown" } });
    }
    const bankReference = reference();
    const found = await must(resolvePayout(left.admin, left.payout, { outcome: "sent", bankReference }));
    expect(found).toMatchObject({ payout: { state: "sent" }, trade: { status: "completed" } });
    expect(await toldOfMoney(left)).toMatchObject([{ template: "payoutSent" }]);
    const again = await must(resolvePayout(kept.admin, kept.payout, { outcome: "not_sent", reason }));
    expect(again).toMatchObject({ payout: { state: "due" }, trade: { status: "settlement_pending" } });
    expect(await toldOfMoney(kept)).toEqual([]);
  });
});

test("of a refund that left its buyer is told by mail and both in the room", async () => {
  const deal = await refundDue();
  const bankReference = reference();
  await must(approvePayout(deal.admin, deal.payout));
  expect(await noticed(deal)).toEqual([]);
  await must(sendPayout(deal.admin, deal.payout, { bankReference }));
  await must(payoutDone(deal.second, deal.payout));
  const { code } = await tradeNow(deal);
  expect(await noticed(deal)).toEqual([{ transactionId: deal.id, code, amount: 110_000 }]);
  const data = {
    ...{ name: "", code, url: `/chat/${deal.roomId}`, amount: 110_000 },
    ...{ destination: "Golomt Bank ••3456", reference: bankReference },
  };
  expect(await toldOfMoney(deal)).toEqual([{ user_id: deal.buyer.userId, template: "refundSent", data }]);
});

test("nobody takes a step of money without the right to, and what moves it asks for a fresh login", async () => {
  const deal = await payoutDue();
  const { admin, buyer, payout } = deal;
  const verbs = {
    approve: (who: Someone, id = payout) => approvePayout(who, id),
    claim: (who: Someone, id = payout) => claimPayout(who, id),
    send: (who: Someone, id = payout) => sendPayout(who, id, { bankReference: reference() }),
    resolve: (who: Someone, id = payout) => resolvePayout(who, id, { outcome: "not_sent", reason }),
    withdraw: (who: Someone, id = payout) => withdrawApproval(who, id, { reason }),
    done: (who: Someone, id = payout) => payoutDone(who, id),
    unknown: (who: Someone, id = payout) => payoutUnknown(who, id, { reason }),
    settle: (who: Someone, id = payout) =>
      settle(who, id === payout ? deal.id : id, { bankReference: reference() }),
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

describe("who made a transfer that another takes", () => {
  async function pushed({ userId }: Someone) {
    const rows = await db().execute<Record<string, unknown>>(sql`
      SELECT event, params, url FROM mailer.pushes WHERE user_id = ${userId} ORDER BY id`);
    return [...rows];
  }

  test("is told so, be it taken over or taken back, and told nothing of what they do themselves", async () => {
    const deal = await payoutDue();
    const { admin, second, payout } = deal;
    for (const { userId } of [admin, second]) {
      const owner = { userId, sessionId: userId, device: "a test", at: new Date() };
      await transaction((tx) => keepPushDevice(tx, owner, service.browser()));
    }
    await must(approvePayout(admin, payout));
    const taken = { code: "PAYOUT_CLAIMED", params: { name: "Bat Erdene" }, current: "settlement_pending" };
    expect(await claimPayout(second, payout)).toMatchObject(taken);
    expect(await pushed(admin)).toEqual([]);
    const over = { from: admin.userId };
    expect(await must(claimPayout(second, payout, over))).toMatchObject({ changed: true });
    expect(await must(claimPayout(second, payout, over))).toMatchObject({ changed: false });
    const { code } = await tradeNow(deal);
    const told = (other: string) => ({
      ...{ event: "transferTaken", url: `/admin/payouts/${payout}`, params: { code, other } },
    });
    expect(await pushed(admin)).toEqual([told("Second")]);
    await must(withdrawApproval(admin, payout, { reason, from: second.userId }));
    expect(await pushed(second)).toEqual([told("Bat Erdene")]);
    await must(approvePayout(admin, payout));
    await must(withdrawApproval(admin, payout, { reason }));
    expect([await pushed(admin), await pushed(second)]).toEqual([[told("Second")], [told("Bat Erdene")]]);
  });
});

describe("what is settled in one step", () => {
  test("is the trade's payout, then its refund; the last number again changes nothing, and what is void is passed over", async () => {
    const deal = await splitOf();
    // What was in doubt and had not left is due again as a row of its own, younger than the refund's.
    const first = (await payoutsOf(db(), deal.id))[0]?.id ?? 0;
    await must(approvePayout(deal.admin, first));
    await must(payoutUnknown(deal.admin, first, { reason }));
    await must(resolvePayout(deal.admin, first, { outcome: "not_sent", reason }));
    const numbers: [string, string] = [reference(), reference()];
    const steps = [];
    for (const bankReference of [...numbers, ...numbers.slice(1)]) {
      const { changed, payout, trade } = await must(settle(deal.admin, deal.id, { bankReference }));
      steps.push([changed, payout.kind, payout.amount, payout.bankReference, trade.status]);
    }
    expect(steps).toEqual([
      [true, "payout", 60_000, numbers[0], "settlement_pending"],
      [true, "refund", 40_000, numbers[1], "completed"],
      [false, "refund", 40_000, numbers[1], "completed"],
    ]);
    expect(await moneyOf(deal)).toMatchObject({ held: 0 });
  });

  test("goes to no other account than was shown, and takes two people where it is so much", async () => {
    const deal = await payoutDue();
    const bankReference = reference();
    const other = { bankReference, destinationDigest: "of another account" };
    expect(await settle(deal.admin, deal.id, other)).toMatchObject({
      ...{ ok: false, code: "PAYOUT_CONFLICT", current: "settlement_pending" },
    });
    configure({ PAYOUT_FOUR_EYES_ABOVE: 50_000 });
    expect(await settle(deal.admin, deal.id, { bankReference })).toMatchObject({
      ...{ ok: false, code: "FOUR_EYES_REQUIRED", current: "settlement_pending" },
    });
    expect((await payoutsOf(db(), deal.id)).map(({ state }) => state)).toEqual(["due"]);
  });

  test("is of both sides' money its seller's first, be it due, approved, or closed without the bank's number", async () => {
    for (const stand of ["due", "approved", "closed"]) {
      const deal = await splitOf();
      const first = (await payoutsOf(db(), deal.id))[0]?.id ?? 0;
      if (stand === "approved") await must(approvePayout(deal.admin, first));
      if (stand === "closed") {
        await must(openDispute(deal.seller, deal.id, { reason }));
        await must(takeDispute(deal.admin, deal.id));
        await must(adminComplete(deal.admin, deal.id));
      }
      const kinds = [];
      for (let step = 0; step < 2; step++) {
        kinds.push((await must(settle(deal.admin, deal.id, { bankReference: reference() }))).payout.kind);
      }
      expect([stand, ...kinds]).toEqual([stand, "payout", "refund"]);
    }
  });

  test("waits for an account where none is named", async () => {
    const deal = await paid();
    await must(adminCancel(deal.admin, deal.id));
    expect(await settle(deal.admin, deal.id, { bankReference: reference() })).toMatchObject({
      ...{ ok: false, code: "DESTINATION_REQUIRED", current: "cancelled" },
    });
  });

  test("is nothing where nothing is due", async () => {
    const [running, over] = [await paid(), await payoutDue()];
    // More than was owed is sent back by the steps of its own refund.
    const slip = { amount: 10_000, reference: reference() };
    for (const who of [running.admin, over.second]) await must(confirmByHand(who, running.id, slip));
    expect((await moneyOf(running)).records).toEqual(["refund 10000+0 suspense due"]);
    const nothing = (current: string) => ({ ok: false, code: "NOTHING_DUE", current });
    expect(await settle(running.admin, running.id, { bankReference: reference() })).toMatchObject(
      nothing("payment_confirmed"),
    );
    await must(openDispute(over.buyer, over.id, { reason }));
    expect(await settle(over.admin, over.id, { bankReference: reference() })).toMatchObject(
      nothing("disputed"),
    );
  });
});

describe("what an administrator may still do of a trade", () => {
  test("is to complete it as another one ruled, not to undo that", async () => {
    const deal = await splitOf();
    const other = await plantUser({ isAdmin: true });
    expect(await adminCancel(other, deal.id)).toMatchObject({ code: "DISPUTE_TAKEN" });
    expect(await saveRefundDestination(deal.buyer, deal.id, home)).toMatchObject({ ok: true });
    await must(adminComplete(other, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ held: 0 });
  });

  test("is to call it off while what was paid too much is on its way back", async () => {
    const deal = { ...(await paid()), second: await plantUser({ isAdmin: true }) };
    const slip = { amount: 10_000, reference: reference() };
    for (const who of [deal.admin, deal.second]) await must(confirmByHand(who, deal.id, slip));
    expect(await saveRefundDestination(deal.buyer, deal.id, home)).toMatchObject({ ok: true });
    const excess = (await payoutsOf(db(), deal.id))[0]?.id ?? 0;
    await must(approvePayout(deal.admin, excess));
    await must(adminCancel(deal.second, deal.id));
    expect((await moneyOf(deal)).records).toEqual([
      ...["refund 10000+0 suspense approved", "refund 110000+0 escrow due"],
    ]);
  });

  test("is not to call it off once some of its money was sent", async () => {
    const deal = await splitOf();
    await must(settle(deal.admin, deal.id, { bankReference: reference() }));
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject({ code: "MONEY_ALREADY_SENT" });
  });
});

test("an account is told by its bank and last four places, and one that is not known not at all", () => {
  expect(whereTo(home)).toBe("Golomt Bank ••3456");
  expect(whereTo(null)).toBe("");
});
