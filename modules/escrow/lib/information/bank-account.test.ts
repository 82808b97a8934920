import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { registerIdentityGuard } from "#modules/identity";
import {
  approvePayoutRecord,
  createDuePayout,
  payoutsOf,
  recordPayments,
  voidLivePayouts,
} from "#modules/payments";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { identityGuard } from "../privacy/account-deletion-guard.ts";
import { saveBankInfo, sellerDestination } from "./bank-account.ts";
import { audited, bank, contact, exchangeOf, notices, refund } from "./information.fixture.ts";
import { refundDestination, saveRefundDestination } from "./refund-account.ts";
import { shareInfo } from "./share-information.ts";

useDatabase();

/** Books money for the trade and makes it due to one party. */
async function withMoney(
  trade: { id: number; seller: { userId: number }; buyer: { userId: number } },
  kind: "payout" | "refund",
) {
  const at = new Date();
  return runInTransaction(async (tx) => {
    const row = {
      providerPaymentId: crypto.randomUUID(),
      invoiceId: crypto.randomUUID(),
      amount: 110_000,
      paidAt: at,
    };
    await recordPayments(tx, { reference: trade.id, rows: [row], owed: 110_000, at });
    const fee = kind === "payout" ? 10_000 : 0;
    const due = await createDuePayout(tx, {
      reference: trade.id,
      kind,
      amount: 110_000 - fee,
      fee,
      recipientId: kind === "payout" ? trade.seller.userId : trade.buyer.userId,
      dueAt: at,
      at,
      by: { userId: null },
    });
    if (!due.ok) throw new Error(due.code);
    return due.payout.id;
  });
}

const byAdmin = (userId: number) => ({
  userId,
  relatedAdminIds: [userId],
  keepsRight: async () => true,
  ip: "127.0.0.1",
  device: "test",
});

describe("the seller's bank account", () => {
  test("is saved once, readable by the buyer, and becomes the payout's destination", async () => {
    const trade = await plantTrade();
    expect(await exchangeOf(trade, "buyer")).toMatchObject({
      available: true,
      sellerInfo: null,
      buyerInfo: null,
    });
    expect(await sellerDestination(db(), trade.id)).toBeNull();
    expect(await saveBankInfo(trade.seller, trade.id, bank())).toEqual({
      ok: true,
      changed: true,
      corrected: false,
    });
    expect((await exchangeOf(trade, "buyer")).sellerInfo).toEqual({
      bankName: "Khan Bank",
      accountName: "Bat Erdene",
      accountNumber: "5012345678",
      iban: null,
      phoneNumber: "99112233",
      email: "bat@example.mn",
      notes: null,
    });
    expect(await sellerDestination(db(), trade.id)).toEqual({
      bankName: "Khan Bank",
      accountName: "Bat Erdene",
      accountNumber: "5012345678",
      phone: "99112233",
    });
  });

  test("may be corrected once; the same again is no correction", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, bank());
    expect(await saveBankInfo(trade.seller, trade.id, bank())).toEqual({
      ok: true,
      changed: false,
      corrected: false,
    });
    expect(await saveBankInfo(trade.seller, trade.id, bank("5099999999"))).toEqual({
      ok: true,
      changed: true,
      corrected: true,
    });
    expect(await saveBankInfo(trade.seller, trade.id, bank("5011111111"))).toEqual({
      ok: false,
      code: "BANK_INFO_FINAL",
      current: "payment_confirmed",
    });
    expect((await sellerDestination(db(), trade.id))?.accountNumber).toBe("5099999999");
    expect(await notices(trade.roomId)).toEqual(["bankInfoGiven", "bankInfoCorrected"]);
  });

  test("takes effect once of twenty corrections at the same time", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, bank());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => saveBankInfo(trade.seller, trade.id, bank(`50000000${10 + i}`))),
    );
    expect(answers.filter((answer) => answer.ok && answer.changed)).toHaveLength(1);
    expect(answers.filter((answer) => !answer.ok && answer.code === "BANK_INFO_FINAL")).toHaveLength(19);
  });

  test("when corrected changes what is due, and the correction is refused once that is approved", async () => {
    const trade = await plantTrade("settlement_pending");
    await saveBankInfo(trade.seller, trade.id, bank());
    const id = await withMoney(trade, "payout");
    expect(await saveBankInfo(trade.seller, trade.id, bank("5099999999"))).toMatchObject({ corrected: true });
    expect((await payoutsOf(db(), trade.id))[0]?.destination?.accountNumber).toBe("5099999999");

    const other = await plantTrade("settlement_pending");
    await saveBankInfo(other.seller, other.id, bank());
    const approved = await withMoney(other, "payout");
    const admin = await plantUser({ isAdmin: true });
    const destination = await sellerDestination(db(), other.id);
    if (destination === null) throw new Error("no destination");
    const done = await runInTransaction((tx) =>
      approvePayoutRecord(tx, { id: approved, destination, at: new Date(), by: byAdmin(admin.userId) }),
    );
    expect(done.ok).toBe(true);
    expect(await saveBankInfo(other.seller, other.id, bank("5011111111"))).toMatchObject({
      code: "BANK_INFO_FINAL",
    });
    // Not even a new email address is accepted, although the money would go to the same account.
    expect(await saveBankInfo(other.seller, other.id, { ...bank(), email: "new@example.mn" })).toMatchObject({
      code: "BANK_INFO_FINAL",
    });
    expect((await sellerDestination(db(), other.id))?.accountNumber).toBe("5012345678");
    expect(id).not.toBe(approved);
  });

  test("is not requested for a refund, and void records keep theirs", async () => {
    const trade = await plantTrade("settlement_pending");
    await withMoney(trade, "refund");
    await saveBankInfo(trade.seller, trade.id, bank());
    expect((await payoutsOf(db(), trade.id)).map(({ destination }) => destination)).toEqual([null]);
    const other = await plantTrade("settlement_pending");
    await saveBankInfo(other.seller, other.id, bank());
    await withMoney(other, "payout");
    const by = { userId: null };
    const gone = await runInTransaction((tx) =>
      voidLivePayouts(tx, { reference: other.id, reason: "a test", at: new Date(), by }),
    );
    expect(gone.ok).toBe(true);
    expect(await saveBankInfo(other.seller, other.id, bank("5099999999"))).toMatchObject({ corrected: true });
    expect((await payoutsOf(db(), other.id)).map(({ state, destination }) => [state, destination])).toEqual([
      ["void", null],
    ]);
  });

  test("stays when the buyer enters contact details, which is allowed after the approval", async () => {
    const trade = await plantTrade("settlement_pending");
    await saveBankInfo(trade.seller, trade.id, bank());
    const id = await withMoney(trade, "payout");
    await saveBankInfo(trade.buyer, trade.id, contact);
    expect((await payoutsOf(db(), trade.id))[0]?.destination).toBeNull();
    const destination = (await sellerDestination(db(), trade.id)) ?? undefined;
    const admin = await plantUser({ isAdmin: true });
    await runInTransaction((tx) =>
      approvePayoutRecord(tx, {
        id,
        ...(destination && { destination }),
        at: new Date(),
        by: byAdmin(admin.userId),
      }),
    );
    const second = { ...contact, email: "new@example.mn" };
    expect(await saveBankInfo(trade.buyer, trade.id, second)).toMatchObject({ ok: true, corrected: true });
    expect((await payoutsOf(db(), trade.id))[0]?.destination).toMatchObject({ accountNumber: "5012345678" });
  });

  test("never enters the audit log or a notice", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, bank());
    await saveBankInfo(trade.buyer, trade.id, contact);
    await shareInfo(trade.buyer, trade.id, { info: "My number is 88112233" });
    const log = await audited(trade.id);
    expect(log).toContain("bank_info_given");
    expect(log).toContain("contact_info_given");
    expect(log).toContain("info_shared");
    const said = JSON.stringify(
      await db().execute(sql`SELECT * FROM rooms.messages WHERE room_id = ${trade.roomId}`),
    );
    for (const secret of [
      "5012345678",
      "99112233",
      "88112233",
      "bat@example.mn",
      "dorj@example.mn",
      "Dorj",
    ]) {
      expect(log).not.toContain(secret);
      expect(said).not.toContain(secret);
    }
  });
});

describe("the destination of a refund", () => {
  test("is asked only of the buyer, and only when a refund is due", async () => {
    const trade = await plantTrade("cancelled");
    expect(await saveRefundDestination(trade.seller, trade.id, refund)).toEqual({
      ok: false,
      code: "BUYER_ONLY",
    });
    expect(await saveRefundDestination(trade.buyer, trade.id, refund)).toMatchObject({
      code: "NO_REFUND_DUE",
    });
  });

  test("is set on the due refund, may change until it is approved, and not after", async () => {
    const trade = await plantTrade("cancelled");
    const id = await withMoney(trade, "refund");
    expect(await saveRefundDestination(trade.buyer, trade.id, refund)).toEqual({ ok: true, changed: true });
    expect(await saveRefundDestination(trade.buyer, trade.id, refund)).toEqual({ ok: true, changed: false });
    const second = { ...refund, accountNumber: "1105999999" };
    expect(await saveRefundDestination(trade.buyer, trade.id, second)).toEqual({ ok: true, changed: true });
    expect((await payoutsOf(db(), trade.id))[0]?.destination).toEqual(second);
    expect(await refundDestination(db(), trade.id)).toEqual(second);
    const admin = await plantUser({ isAdmin: true });
    const done = await runInTransaction((tx) =>
      approvePayoutRecord(tx, { id, at: new Date(), by: byAdmin(admin.userId) }),
    );
    expect(done.ok).toBe(true);
    expect(await saveRefundDestination(trade.buyer, trade.id, refund)).toMatchObject({
      code: "REFUND_DESTINATION_FINAL",
    });
    expect(await saveRefundDestination(trade.buyer, trade.id, second)).toEqual({ ok: true, changed: false });
  });
});

describe("a refund account", () => {
  test("is not requested if the refund is void", async () => {
    const trade = await plantTrade("cancelled");
    await withMoney(trade, "refund");
    const by = { userId: null };
    await runInTransaction((tx) =>
      voidLivePayouts(tx, { reference: trade.id, reason: "a test", at: new Date(), by }),
    );
    expect(await saveRefundDestination(trade.buyer, trade.id, refund)).toEqual({
      ...{ ok: false, code: "NO_REFUND_DUE", current: "cancelled" },
    });
  });

  test("is set on what is still due, beside a refund that is approved", async () => {
    const trade = await plantTrade("cancelled");
    const id = await withMoney(trade, "refund");
    await saveRefundDestination(trade.buyer, trade.id, refund);
    const admin = await plantUser({ isAdmin: true });
    await runInTransaction((tx) =>
      approvePayoutRecord(tx, { id, at: new Date(), by: byAdmin(admin.userId) }),
    );
    await db().execute(sql`
      INSERT INTO payments.payouts (reference, kind, source, amount, fee, due_at, created_at)
      VALUES (${trade.id}, 'refund', 'suspense:1', 5, 0, now() + interval '3 hours', now())`);
    const second = { ...refund, ibanNumber: "MN140005005012345678", accountNumber: "1105999999" };
    expect(await saveRefundDestination(trade.buyer, trade.id, second)).toEqual({ ok: true, changed: true });
    const { ibanNumber: iban, ...account } = second;
    expect((await payoutsOf(db(), trade.id)).map(({ state, destination }) => [state, destination])).toEqual([
      ["approved", refund],
      ["due", { ...account, iban }],
    ]);
  });
});

test("an account that a restricted person enters is hashed like earlier ones, and nobody else's is", async () => {
  const unregister = registerIdentityGuard(identityGuard);
  try {
    const trade = await plantTrade();
    const { seller } = trade;
    const hashes = async () =>
      (
        await db().execute<{ digest: string }>(
          sql`SELECT digest FROM identity.restriction_signs WHERE user_id = ${seller.userId} AND kind = 'bank'`,
        )
      ).length;
    expect(await saveBankInfo(seller, trade.id, bank())).toMatchObject({ ok: true });
    expect(await hashes()).toBe(0);
    await ownerDatabase().execute(sql`
      UPDATE identity.users SET restriction = 'limit', restricted_until = now() + interval '1 day' WHERE id = ${seller.userId}`);
    expect(await saveBankInfo(seller, trade.id, bank("5099999999"))).toMatchObject({ ok: true });
    expect(await hashes()).toBe(2);
  } finally {
    unregister();
  }
});
