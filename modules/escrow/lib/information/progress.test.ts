import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import type { BankInfoInput } from "../../forms.ts";
import { saveBankInfo } from "./bank-account.ts";
import { bank, contact, exchangeOf, notices, refund } from "./information.fixture.ts";
import { isSameInformation } from "./progress.ts";
import { saveRefundDestination } from "./refund-account.ts";
import type { DetailRow } from "./schema.ts";
import { confirmInfo, shareInfo } from "./share-information.ts";
import { exchangeFor, readInfoExchange } from "./view.ts";

useDatabase();

describe("access to the shared information", () => {
  test("is refused to a third person and a visitor", async () => {
    const trade = await plantTrade();
    const third = await plantUser();
    const admin = await plantUser({ isAdmin: true });
    for (const outsider of [third, admin]) {
      const missing = { ok: false, code: "TRANSACTION_NOT_FOUND" } as const;
      expect(await saveBankInfo(outsider, trade.id, bank())).toEqual(missing);
      expect(await shareInfo(outsider, trade.id, { info: "x" })).toEqual(missing);
      expect(await confirmInfo(outsider, trade.id)).toEqual(missing);
      expect(await saveRefundDestination(outsider, trade.id, refund)).toEqual(missing);
      expect(await readInfoExchange(outsider, trade.id)).toEqual(missing);
      expect(await readInfoExchange(outsider, 999_999)).toEqual(missing);
    }
    const visitor = { kind: "visitor", ip: "", device: "", language: "en", requestId: "" } as const;
    expect(await readInfoExchange(visitor, trade.id)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });

  test("lets each side save only its own form", async () => {
    const trade = await plantTrade();
    expect(await saveBankInfo(trade.buyer, trade.id, bank())).toEqual({ ok: false, code: "SELLER_ONLY" });
    expect(await saveBankInfo(trade.seller, trade.id, contact)).toEqual({ ok: false, code: "BUYER_ONLY" });
  });

  for (const status of [
    "initiated",
    "payment_initiated",
    "payment_pending",
    "payment_processing",
    "payment_failed",
    "cancelled",
  ]) {
    test(`in ${status} is closed`, async () => {
      const trade = await plantTrade(status);
      const closed = { ok: false, code: "INFO_NOT_AVAILABLE", current: status } as const;
      expect(await saveBankInfo(trade.seller, trade.id, bank())).toMatchObject(closed);
      expect(await shareInfo(trade.seller, trade.id, { info: "x" })).toMatchObject(closed);
      expect(await confirmInfo(trade.seller, trade.id)).toMatchObject(closed);
      expect(await exchangeOf(trade, "buyer")).toMatchObject({ available: false });
    });
  }

  for (const status of [
    "payment_confirmed",
    "exchange_completed",
    "settlement_pending",
    "disputed",
    "completed",
  ]) {
    test(`in ${status} is open for sharing and reading`, async () => {
      const trade = await plantTrade(status);
      expect(await shareInfo(trade.seller, trade.id, { info: "Look in the vault" })).toEqual({
        ok: true,
        changed: true,
      });
      expect((await exchangeOf(trade, "buyer")).sellerInfo?.notes).toBe("Look in the vault");
    });
  }

  test("after a cancellation shows only the last four digits of the other side's numbers, and one's own completely", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, bank());
    await saveBankInfo(trade.buyer, trade.id, contact);
    await db().execute(
      sql`UPDATE escrow.trades SET status = 'cancelled', end_reason = 'agreed', ended_at = now() WHERE id = ${trade.id}`,
    );
    expect((await exchangeOf(trade, "buyer")).sellerInfo).toMatchObject({
      accountNumber: "••••5678",
      phoneNumber: "••••2233",
      email: null,
    });
    expect((await exchangeOf(trade, "seller")).sellerInfo).toMatchObject({ accountNumber: "5012345678" });
    expect((await exchangeOf(trade, "seller")).buyerInfo).toMatchObject({
      phoneNumber: "••••2233",
      email: null,
    });
  });
});

describe("sharing and confirming", () => {
  test("a repeated text changes nothing; another replaces it and the former is stored", async () => {
    const trade = await plantTrade();
    expect(await shareInfo(trade.buyer, trade.id, { info: "one" })).toEqual({ ok: true, changed: true });
    expect(await shareInfo(trade.buyer, trade.id, { info: "one" })).toEqual({ ok: true, changed: false });
    expect(await shareInfo(trade.buyer, trade.id, { info: "two" })).toEqual({ ok: true, changed: true });
    expect((await exchangeOf(trade, "seller")).buyerInfo?.notes).toBe("two");
    const kept = await db().execute(
      sql`SELECT body FROM escrow.details WHERE trade_id = ${trade.id} ORDER BY version`,
    );
    expect(kept.map((row) => row.body)).toEqual(["one", "two"]);
    expect(await notices(trade.roomId)).toEqual(["infoSharedByBuyer", "infoSharedByBuyer"]);
  });

  test("sharing is limited", async () => {
    const trade = await plantTrade();
    for (let i = 0; i < 50; i++) await shareInfo(trade.seller, trade.id, { info: `text ${i}` });
    expect(await shareInfo(trade.seller, trade.id, { info: "one more" })).toMatchObject({
      code: "INFO_TOO_OFTEN",
    });
  });

  test("nothing can be confirmed before the other side shared something", async () => {
    const trade = await plantTrade();
    const none = { ok: false, code: "INFO_NOT_SHARED", current: "payment_confirmed" } as const;
    expect(await confirmInfo(trade.buyer, trade.id)).toEqual(none);
    expect(await confirmInfo(trade.seller, trade.id)).toEqual(none);
    await saveBankInfo(trade.buyer, trade.id, contact);
    // A buyer's own details do not count: the seller has shared nothing.
    expect(await confirmInfo(trade.buyer, trade.id)).toEqual(none);
    expect(await confirmInfo(trade.seller, trade.id)).toEqual({ ok: true, changed: true, both: false });
    expect(await exchangeOf(trade, "buyer")).toMatchObject({ sellerConfirmed: true, buyerConfirmed: false });
    expect(await notices(trade.roomId)).toEqual(["contactGiven", "infoConfirmedBySeller"]);
    expect(await db().execute(sql`SELECT 1 FROM escrow.steps WHERE trade_id = ${trade.id}`)).toHaveLength(0);
  });

  test("a version that was replaced is not confirmed, even after the current one was", async () => {
    const trade = await plantTrade();
    for (const info of ["one", "two"]) await shareInfo(trade.seller, trade.id, { info });
    const refused = { ok: false, code: "INFO_CHANGED", current: "payment_confirmed" } as const;
    expect(await confirmInfo(trade.buyer, trade.id, { version: 1 })).toEqual(refused);
    expect(await confirmInfo(trade.buyer, trade.id, { version: 2 })).toMatchObject({ changed: true });
    expect(await confirmInfo(trade.buyer, trade.id, { version: 2 })).toMatchObject({ changed: false });
    expect(await confirmInfo(trade.buyer, trade.id, { version: 1 })).toEqual(refused);
  });

  test("a confirmation is undone by a change, and can be given again", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, bank());
    await shareInfo(trade.buyer, trade.id, { info: "call" });
    await confirmInfo(trade.buyer, trade.id);
    await confirmInfo(trade.seller, trade.id);
    expect(await exchangeOf(trade, "buyer")).toMatchObject({ sellerConfirmed: true, buyerConfirmed: true });
    const changes: Array<() => Promise<unknown>> = [
      () => shareInfo(trade.seller, trade.id, { info: "vault" }),
      () => shareInfo(trade.seller, trade.id, { info: "no, by mail" }),
      () => saveBankInfo(trade.seller, trade.id, bank("5099999999")),
    ];
    for (const change of changes) {
      await change();
      const seen = await exchangeOf(trade, "buyer");
      expect(seen).toMatchObject({ sellerConfirmed: true, buyerConfirmed: false });
      expect(await confirmInfo(trade.buyer, trade.id)).toEqual({ ok: true, changed: true, both: true });
      expect(await exchangeOf(trade, "seller")).toMatchObject({ buyerConfirmed: true });
    }
    // Sharing the same text again changes nothing.
    await shareInfo(trade.seller, trade.id, { info: "no, by mail" });
    expect(await exchangeOf(trade, "buyer")).toMatchObject({ sellerConfirmed: true, buyerConfirmed: true });
  });

  test("a text that changed since it was read cannot be confirmed", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, bank());
    const { sellerInfoVersion: version } = await exchangeOf(trade, "buyer");
    await saveBankInfo(trade.seller, trade.id, bank("5099999999"));
    expect(await confirmInfo(trade.buyer, trade.id, { version })).toEqual({
      ok: false,
      code: "INFO_CHANGED",
      current: "payment_confirmed",
    });
    expect(await exchangeOf(trade, "buyer")).toMatchObject({ buyerConfirmed: false });
    const read = (await exchangeOf(trade, "buyer")).sellerInfoVersion;
    expect(await confirmInfo(trade.buyer, trade.id, { version: read })).toMatchObject({ changed: true });
  });

  test("a confirmation recorded by an earlier version counts for what had been shared by then", async () => {
    const trade = await plantTrade();
    await db().execute(sql`
      INSERT INTO escrow.information (trade_id, side, confirmed_at) VALUES (${trade.id}, 'buyer', now())`);
    expect(await exchangeOf(trade, "buyer")).toMatchObject({ buyerConfirmed: false });
    const other = await plantTrade();
    await saveBankInfo(other.seller, other.id, bank());
    await db().execute(sql`
      INSERT INTO escrow.information (trade_id, side, confirmed_at) VALUES (${other.id}, 'buyer', now() + interval '1 second')`);
    expect(await exchangeOf(other, "buyer")).toMatchObject({ buyerConfirmed: true });
    await Bun.sleep(1_100);
    await saveBankInfo(other.seller, other.id, bank("5099999999"));
    expect(await exchangeOf(other, "buyer")).toMatchObject({ buyerConfirmed: false });
    expect(await confirmInfo(other.buyer, other.id)).toMatchObject({ changed: true });
  });

  test("the database does not undo a confirmation either", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, bank());
    await confirmInfo(trade.buyer, trade.id);
    for (const spoil of [
      sql`UPDATE escrow.information SET confirmed_at = NULL, confirmed_version = NULL WHERE trade_id = ${trade.id}`,
      sql`UPDATE escrow.information SET confirmed_at = now() + interval '1 day' WHERE confirmed_at IS NOT NULL`,
      sql`UPDATE escrow.information SET confirmed_version = NULL WHERE trade_id = ${trade.id} AND side = 'buyer'`,
    ]) {
      await expect((async () => db().execute(spoil))()).rejects.toThrow();
    }
  });

  test("the step is stamped once, when both have confirmed", async () => {
    const trade = await plantTrade();
    await shareInfo(trade.buyer, trade.id, { info: "call" });
    await shareInfo(trade.seller, trade.id, { info: "vault" });
    expect(await confirmInfo(trade.buyer, trade.id)).toEqual({ ok: true, changed: true, both: false });
    expect(await confirmInfo(trade.buyer, trade.id)).toEqual({ ok: true, changed: false, both: false });
    expect(await exchangeOf(trade, "seller")).toMatchObject({ buyerConfirmed: true, sellerConfirmed: false });
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirmInfo(trade.seller, trade.id)));
    expect(answers.filter((answer) => answer.ok && answer.changed)).toHaveLength(1);
    expect(answers.every((answer) => answer.ok && answer.both)).toBe(true);
    const stamped = await db().execute(sql`SELECT step FROM escrow.steps WHERE trade_id = ${trade.id}`);
    expect(stamped.map((row) => row.step)).toEqual(["exchange_info"]);
    const told = (await notices(trade.roomId)).slice(2);
    expect(told).toEqual(["infoConfirmedByBuyer", "infoConfirmedByBoth"]);
  });
});

describe("what a reader sees", () => {
  const nothing = {
    ...{ sellerInfo: null, buyerInfo: null, sellerInfoErased: false, buyerInfoErased: false },
    ...{ sellerConfirmed: false, buyerConfirmed: false, sellerMayCorrect: true, buyerMayCorrect: true },
    ...{ sellerInfoVersion: 0, buyerInfoVersion: 0 },
  };
  const whole = {
    sellerInfo: {
      ...{ bankName: "Khan Bank", accountName: "Bat Erdene", accountNumber: "5012345678" },
      ...{ iban: "MN140005005012345678", phoneNumber: "99112233", email: "bat@example.mn", notes: "vault" },
    },
    buyerInfo: { name: "Dorj", phoneNumber: "88112233", email: "dorj@example.mn", notes: "call" },
  };
  const numbersHidden = {
    sellerInfo: { ...whole.sellerInfo, accountNumber: "••••5678", iban: "••••5678", phoneNumber: "••••2233" },
    buyerInfo: { ...whole.buyerInfo, phoneNumber: "••••2233" },
  };
  const wordless = { email: null, notes: null };
  const ids = (trade: { id: number }, available: boolean) => ({ transactionId: trade.id, available });
  const seenBy = (trade: { id: number }, status: "payment_confirmed" | "cancelled" | "completed") =>
    Promise.all(
      (["seller", "buyer", "admin"] as const).map((reader) =>
        exchangeFor(db(), { id: trade.id, status }, reader),
      ),
    );

  test("is nothing before anything was entered, and half of it if one side entered theirs", async () => {
    const trade = await plantTrade();
    expect(await exchangeOf(trade, "buyer")).toEqual({ ...nothing, ...ids(trade, true) });
    await shareInfo(trade.seller, trade.id, { info: "vault" });
    const empty = {
      bankName: null,
      accountName: null,
      accountNumber: null,
      iban: null,
      phoneNumber: null,
      email: null,
    };
    const seller = { sellerInfo: { ...empty, notes: "vault" }, sellerInfoVersion: 1 };
    const half = { ...nothing, ...ids(trade, true), ...seller };
    expect(await exchangeOf(trade, "buyer")).toEqual(half);
    await shareInfo(trade.buyer, trade.id, { info: "call" });
    const buyerInfo = { name: null, phoneNumber: null, email: null, notes: "call" };
    expect(await exchangeOf(trade, "buyer")).toEqual({ ...half, buyerInfo, buyerInfoVersion: 1 });
  });

  test("is the other side's details while open, one's own always, and for others the last four digits of numbers", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, {
      ...bank(),
      ibanNumber: "MN140005005012345678",
    } as BankInfoInput);
    await saveBankInfo(trade.buyer, trade.id, contact);
    const given = { ...nothing, ...ids(trade, true), sellerInfoVersion: 2, buyerInfoVersion: 2 };
    expect(await exchangeOf(trade, "buyer")).toEqual({
      ...given,
      ...{ sellerInfoVersion: 1, buyerInfoVersion: 1 },
      sellerInfo: { ...whole.sellerInfo, notes: null },
      buyerInfo: { ...whole.buyerInfo, notes: null },
    });
    await shareInfo(trade.seller, trade.id, { info: "vault" });
    await shareInfo(trade.buyer, trade.id, { info: "call" });
    const [seller, buyer, admin] = await seenBy(trade, "payment_confirmed");
    expect(seller).toEqual({ ...given, ...whole });
    expect(buyer).toEqual({ ...given, ...whole });
    expect(admin).toEqual({ ...given, ...numbersHidden });
    const [own, theirs, desk] = await seenBy(trade, "cancelled");
    const closed = { ...given, available: false };
    const holderHidden = { ...numbersHidden.sellerInfo, accountName: null };
    expect(own).toEqual({ ...closed, ...whole, buyerInfo: { ...numbersHidden.buyerInfo, ...wordless } });
    expect(theirs).toEqual({ ...closed, ...whole, sellerInfo: { ...holderHidden, ...wordless } });
    expect(desk).toEqual({ ...closed, ...numbersHidden });
    const [sellers, buyers, office] = await seenBy(trade, "completed");
    expect(sellers).toEqual({ ...given, ...whole });
    const reachable = { phoneNumber: whole.sellerInfo.phoneNumber };
    expect(buyers).toEqual({ ...given, ...whole, sellerInfo: { ...holderHidden, ...reachable } });
    expect(office).toEqual({ ...given, ...numbersHidden });
  });

  test("shows who has corrected and confirmed, and that details were erased", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, bank());
    await saveBankInfo(trade.seller, trade.id, bank("5012345670"));
    await confirmInfo(trade.buyer, trade.id);
    await shareInfo(trade.buyer, trade.id, { info: "call" });
    expect(await exchangeOf(trade, "seller")).toMatchObject({
      ...{ sellerConfirmed: false, buyerConfirmed: true, sellerMayCorrect: false, buyerMayCorrect: true },
      ...{ sellerInfoErased: false, buyerInfoErased: false },
    });
    await ownerDatabase().execute(sql`DELETE FROM escrow.details WHERE trade_id = ${trade.id}`);
    const gone = {
      ...{ ...nothing, ...ids(trade, true), buyerConfirmed: true, sellerMayCorrect: false },
      ...{ sellerInfoErased: true, buyerInfoErased: true },
    };
    expect(await exchangeOf(trade, "seller")).toEqual(gone);
    const corrected = await plantTrade();
    await saveBankInfo(corrected.buyer, corrected.id, contact);
    await saveBankInfo(corrected.buyer, corrected.id, { ...contact, email: "new@example.mn" });
    expect(await exchangeOf(corrected, "buyer")).toMatchObject({
      sellerMayCorrect: true,
      buyerMayCorrect: false,
    });
    const half = await plantTrade();
    await shareInfo(half.buyer, half.id, { info: "call" });
    await confirmInfo(half.seller, half.id);
    expect(await exchangeOf(half, "buyer")).toMatchObject({ sellerConfirmed: true, buyerConfirmed: false });
  });

  test("of a short number is at most half of it", async () => {
    const trade = await plantTrade("cancelled");
    const insert = (number: string, version: number) =>
      db().execute(sql`INSERT INTO escrow.details (trade_id, side, kind, version, given_by, given_at, account_name, bank_name,
        account_number, phone_number, email) VALUES (${trade.id}, 'seller', 'bank', ${version}, ${trade.seller.userId}, now(),
        'Bat', 'Khan', ${number}, '99112233', 'a@b.mn')`);
    await insert("12345", 1);
    expect((await exchangeOf(trade, "buyer")).sellerInfo?.accountNumber).toBe("••••45");
    await insert("123456789", 2);
    expect((await exchangeOf(trade, "buyer")).sellerInfo?.accountNumber).toBe("••••6789");
  });
});

test("details are equal if no field differs, and missing details equal missing ones", () => {
  const row: DetailRow = {
    ...{ id: 1, tradeId: 7, side: "seller", kind: "bank", version: 1, givenBy: 2, givenAt: new Date() },
    ...{ accountName: "Bat", bankName: "Khan", accountNumber: "5012", iban: null, phoneNumber: "9911" },
    ...{ email: "b@example.mn", body: "text", givenDevice: null },
  };
  const { accountName, bankName, accountNumber, phoneNumber, email, body } = row;
  const given = { accountName, bankName, accountNumber, phoneNumber, email, body };
  expect(isSameInformation(row, given)).toBe(true);
  expect(isSameInformation(row, { ...given, iban: null })).toBe(true);
  expect(isSameInformation(undefined, {})).toBe(false);
  for (const field of [...Object.keys(given), "iban"]) {
    expect([field, isSameInformation(row, { ...given, [field]: "another" })]).toEqual([field, false]);
  }
  for (const field of Object.keys(given)) {
    expect([field, isSameInformation(row, { ...given, [field]: undefined })]).toEqual([field, false]);
  }
});

describe("the tables enforce their rules", () => {
  test("a third version of a bank account is refused", async () => {
    const { id, seller } = await plantTrade();
    const insert = async (version: number) =>
      await db().execute(sql`INSERT INTO escrow.details (trade_id, side, kind, version, given_by, given_at, account_name, bank_name,
        account_number, phone_number, email) VALUES (${id}, 'seller', 'bank', ${version}, ${seller.userId}, now(), 'Bat', 'Khan',
        '5012345678', '99112233', 'a@b.mn')`);
    await insert(1);
    await insert(2);
    await expect(insert(2)).rejects.toThrow();
    await expect(insert(3)).rejects.toThrow();
  });

  test("details cannot be rewritten, nor confirmations undone; personal rows can be erased", async () => {
    const trade = await plantTrade();
    await saveBankInfo(trade.seller, trade.id, bank());
    await shareInfo(trade.buyer, trade.id, { info: "call" });
    await confirmInfo(trade.seller, trade.id);
    await expect(
      db()
        .execute(sql`UPDATE escrow.details SET account_number = '1234'`)
        .then(() => {}),
    ).rejects.toThrow();
    await expect(
      db()
        .execute(sql`UPDATE escrow.information SET confirmed_at = NULL`)
        .then(() => {}),
    ).rejects.toThrow();
    await expect(
      ownerDatabase()
        .execute(sql`DELETE FROM escrow.information`)
        .then(() => {}),
    ).rejects.toThrow();
    await ownerDatabase().execute(sql`DELETE FROM escrow.details WHERE trade_id = ${trade.id}`);
    expect(await exchangeOf(trade, "buyer")).toMatchObject({ sellerInfo: null, sellerConfirmed: true });
  });
});
