import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { drainJobs } from "#db/jobs";
import { verifyChain } from "#modules/audit";
import { deleteUserAsAdmin, findPeople } from "#modules/identity";
import { payoutsOf, recordPayments, verifyLedger } from "#modules/payments";
import { approvePayout, settleShownTrade } from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { acceptAltered } from "../../../../tests/support/database/accept-altered.ts";
import { tablesWith } from "../../../../tests/support/database/all-rows.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantRoom, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  createInvoicedTrade,
  createPaidTrade,
  createRequestedTrade,
  createTradeRoom,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  runAtTime,
  sellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import * as escrow from "../../index.ts";
import { lockTrade } from "../core/load-trade.ts";
import { bundleEvidence } from "../evidence/bundle.ts";
import { exchangeFor } from "../information/view.ts";
import { checkPayment } from "../payment/check-payment.ts";
import { lockBothAccounts } from "./account-deletion-guard.ts";
import { applyRetention } from "./apply-retention.ts";

useDatabase();
const market = useSandboxProvider();

const underWay = { ok: false, code: "TRADE_UNDER_WAY" } as const;
const moneyHeld = { ok: false, code: "MONEY_HELD" } as const;
const remove = ({ admin }: Pick<PlantedTrade, "admin">, who: { userId: number }) =>
  deleteUserAsAdmin(admin, who.userId);
const isGone = async ({ userId }: { userId: number }) =>
  (await findPeople(db(), [userId])).get(userId)?.deleted === true;

/** Awaits a call that must succeed. */
async function done(outcome: Promise<{ ok: boolean }>): Promise<void> {
  const answer = await outcome;
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
}

const beginIn = ({ seller, roomId }: Pick<PlantedTrade, "seller" | "roomId">) =>
  escrow.createTrade(seller, { chatRoomId: roomId, amount: 100_000, feePayer: "buyer" });

/** Books a late payment for a trade that is over: the money is in suspense, with a refund due. */
async function bookLate(tx: Tx, { id }: PlantedTrade): Promise<void> {
  await lockTrade(tx, id);
  const row = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID(), amount: 110_000 };
  const at = new Date();
  await recordPayments(tx, { reference: id, rows: [{ ...row, paidAt: at }], owed: 0, at });
}

/** Runs `work` in a transaction that stays open until the returned function is called. */
async function unfinished(work: (tx: Tx) => Promise<void>): Promise<() => Promise<void>> {
  const [worked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const over = runInTransaction(async (tx) => {
    await work(tx);
    worked.resolve();
    await gate.promise;
  });
  await Promise.race([worked.promise, over]);
  return async () => {
    gate.resolve();
    await over;
  };
}

describe("an account cannot be deleted", () => {
  test.each([
    ["is not invoiced", createRequestedTrade],
    ["has a QR that can be paid", createInvoicedTrade],
  ])("while a trade of theirs %s; afterwards both can", async (_, begun) => {
    const deal = await begun();
    for (const who of [deal.buyer, deal.seller]) expect(await remove(deal, who)).toEqual(underWay);
    await expectAccepted(escrow.withdrawRequest(deal.seller, deal.id));
    for (const who of [deal.buyer, deal.seller]) expect(await remove(deal, who)).toEqual({ ok: true });
  });

  test("while money is held, which is reported before an open trade", async () => {
    const deal = await createPaidTrade();
    const roomId = await plantRoom(deal.seller.userId, deal.buyer.userId);
    await expectAccepted(beginIn({ ...deal, roomId }));
    for (const who of [deal.buyer, deal.seller]) expect(await remove(deal, who)).toEqual(moneyHeld);
    expect(await isGone(deal.buyer)).toBe(false);
  });

  test("while one trade is open, although another has ended; and no trade starts with a deleted person", async () => {
    const deal = await createRequestedTrade();
    await expectAccepted(escrow.withdrawRequest(deal.seller, deal.id));
    const roomId = await plantRoom(deal.seller.userId, deal.buyer.userId);
    const { trade } = await expectAccepted(beginIn({ ...deal, roomId }));
    expect(await remove(deal, deal.buyer)).toEqual(underWay);
    await expectAccepted(escrow.withdrawRequest(deal.seller, trade.id));
    const stay = (...ids: [number, number]) => runInTransaction((tx) => lockBothAccounts(tx, ids));
    const [buyer, seller] = [deal.buyer.userId, deal.seller.userId];
    expect(await stay(buyer, seller)).toBe(true);
    expect(await remove(deal, deal.buyer)).toEqual({ ok: true });
    expect([await stay(buyer, seller), await stay(seller, buyer), await stay(seller, 999_999)]).toEqual([
      ...[false, false, false],
    ]);
  });

  test("while their payment is being booked: the deletion waits for it and then finds the money", async () => {
    const deal = await createInvoicedTrade();
    await expectAccepted(escrow.withdrawRequest(deal.seller, deal.id));
    const release = await unfinished((tx) => bookLate(tx, deal));
    const going = remove(deal, deal.buyer);
    expect(await Promise.race([going, Bun.sleep(500)])).toBeUndefined();
    await release();
    expect(await going).toEqual(moneyHeld);
    expect(await isGone(deal.buyer)).toBe(false);
    expect(await moneyOf(deal)).toMatchObject({ suspense: 110_000 });
  });

  test("while a payment is found at the same moment", async () => {
    for (let round = 0; round < 5; round++) {
      const deal = await createInvoicedTrade();
      await market.pay(deal);
      const [, gone] = await Promise.all([checkPayment(deal.id, "callback"), remove(deal, deal.buyer)]);
      expect(gone.ok).toBe(false);
      expect(await isGone(deal.buyer)).toBe(false);
      expect((await moneyOf(deal)).held).toBe(110_000);
    }
  });

  test("while a trade starts at the same moment, and none starts with a deleted person", async () => {
    for (let round = 0; round < 10; round++) {
      const room = await createTradeRoom();
      const begun = Bun.sleep(round % 3).then(() => beginIn(room));
      const gone = remove(room, room.buyer);
      const codes = [await gone, await begun].map((one) => (one.ok ? "ok" : one.code));
      expect(["ok, SEATS_EMPTY", "TRADE_UNDER_WAY, ok"]).toContain(codes.join(", "));
    }
    const room = await createTradeRoom();
    expect(await remove(room, room.buyer)).toEqual({ ok: true });
    expect(await beginIn(room)).toEqual({ ok: false, code: "SEATS_EMPTY" });
  });

  test("while a trade of theirs is being created: the deletion waits for it and then finds it", async () => {
    const { admin, roomId, seller, buyer } = await createTradeRoom();
    // The deletion knows of no trade in that room, so it does not wait for the room's lock.
    const release = await unfinished(async (tx) => {
      expect(await lockBothAccounts(tx, [buyer.userId, seller.userId])).toBe(true);
      await plantTrade(tx, roomId, { buyer, seller });
    });
    const going = remove({ admin }, buyer);
    expect(await Promise.race([going, Bun.sleep(500)])).toBeUndefined();
    await release();
    expect(await going).toEqual(underWay);
  });
});

/** A trade's row as `createTrade` writes it, in a transaction that is not committed yet. */
async function plantTrade(tx: Tx, roomId: number, { buyer, seller }: Pick<PlantedTrade, "buyer" | "seller">) {
  await tx.execute(sql`
    INSERT INTO escrow.trades (code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net, status,
      created_at, updated_at)
    VALUES ('MM-GAATNG00', ${roomId}, ${buyer.userId}, ${seller.userId}, 100000, 10000, 'buyer', 'standard', 110000, 100000,
      'initiated', now(), now())`);
}

const first = {
  ...sellerAccount,
  accountNumber: "5077001122",
  phoneNumber: "99550011",
  email: "first@example.mn",
};
const second = {
  ...sellerAccount,
  accountNumber: "5077003344",
  phoneNumber: "99550022",
  email: "second@example.mn",
};
const words = "call me at the number on my door";
const contact = {
  infoType: "buyer",
  accountName: "Dorjsuren Buyer",
  phoneNumber: "88550033",
  email: "dorjsuren@example.mn",
} as const;

/** A trade that is paid out to the corrected account, after a dispute had voided the payout to the first one. */
async function told(): Promise<PlantedTrade> {
  const deal = await createPaidTrade();
  await done(escrow.saveBankInfo(deal.seller, deal.id, first));
  await done(escrow.saveBankInfo(deal.buyer, deal.id, contact));
  for (const info of [`${words}, the old one`, words])
    await done(escrow.shareInfo(deal.seller, deal.id, { info }));
  await expectAccepted(escrow.confirmCompletion(deal.buyer, deal.id));
  await expectAccepted(escrow.confirmCompletion(deal.seller, deal.id));
  await done(escrow.openDispute(deal.buyer, deal.id, { reason: "The password is wrong" }));
  await done(withdrawDispute(deal.buyer, deal.id));
  await done(escrow.saveBankInfo(deal.seller, deal.id, second));
  // A corrected account needs two administrators, and three hours.
  const [due] = (await payoutsOf(db(), deal.id)).slice(-1);
  await db().execute(
    sql`UPDATE payments.payouts SET corrected_at = now() - interval '4 hours' WHERE id = ${due?.id ?? 0}`,
  );
  await acceptAltered("transfer", due?.id ?? 0);
  await expectAccepted(approvePayout(await plantUser({ isAdmin: true }), due?.id ?? 0));
  await done(settleShownTrade(deal.admin, deal.id, { bankReference: `GO-${deal.id}` }));
  await drainJobs();
  return deal;
}

describe("a deleted person", () => {
  test("erases their details; the destination of their money stays, and the other side is notified", async () => {
    const deal = await told();
    const gone = [
      first.accountNumber,
      first.phoneNumber,
      first.email,
      second.phoneNumber,
      second.email,
      words,
    ];
    expect((await tablesWith(gone)).length).toBeGreaterThan(1);
    expect(await remove(deal, deal.seller)).toEqual({ ok: true });
    expect(await tablesWith(gone)).toEqual([]);
    expect(await tablesWith([second.accountNumber])).toEqual(["payments.payouts"]);
    expect((await payoutsOf(db(), deal.id)).map(({ state, destination }) => [state, destination])).toEqual([
      ["void", null],
      ["sent", { bankName: "Khan Bank", accountName: "Bat Erdene", accountNumber: second.accountNumber }],
    ]);
    const seen = await exchangeFor(db(), { id: deal.id, status: "completed" }, "buyer");
    expect(seen).toMatchObject({ sellerInfo: null, sellerInfoErased: true });
    expect(seen).toMatchObject({ buyerInfo: { phoneNumber: contact.phoneNumber }, buyerInfoErased: false });
    await drainJobs();
    expect(await verifyLedger()).toMatchObject({ ok: true });
    expect(await verifyChain()).toMatchObject({ ok: true });
    expect(await bundleEvidence(deal.admin, deal.id)).toMatchObject({ ok: true });
    expect(
      (await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: `GO-${deal.id}` })))
        .changed,
    ).toBe(false);
  });

  test("does not affect what the other side and people of their other trades entered", async () => {
    const [deal, other] = [await told(), await told()];
    expect(await remove(deal, deal.buyer)).toEqual({ ok: true });
    const left = await exchangeFor(db(), { id: deal.id, status: "completed" }, "seller");
    expect(left).toMatchObject({ buyerInfo: null, buyerInfoErased: true, sellerInfoErased: false });
    expect(left.sellerInfo).toMatchObject({ accountNumber: second.accountNumber, notes: words });
    const untouched = await exchangeFor(db(), { id: other.id, status: "completed" }, "seller");
    expect(untouched.buyerInfo).toMatchObject({ phoneNumber: contact.phoneNumber });
  });

  test("is still erased from the payout records at the end of retention", async () => {
    const deal = await told();
    const destinations = async () => (await payoutsOf(db(), deal.id)).map(({ destination }) => destination);
    expect(await remove(deal, deal.seller)).toEqual({ ok: true });
    // Until retention ends, the account that received money is kept, without the phone number.
    const { accountName, accountNumber } = second;
    expect(await destinations()).toEqual([null, { bankName: "Khan Bank", accountName, accountNumber }]);
    const over = new Date();
    over.setFullYear(over.getFullYear() + 2, over.getMonth(), over.getDate() + 1);
    await runAtTime(over, () => applyRetention(over));
    expect(await destinations()).toEqual([null, null]);
    expect(await verifyLedger()).toMatchObject({ ok: true });
  });
});
