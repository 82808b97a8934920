import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import {
  holdsOf,
  liveInvoice,
  openHoldReasons,
  paymentsOf,
  payoutsOf,
  verifyLedger,
} from "#modules/payments";
import {
  approvePayout,
  sendPayout,
  settleShownTrade,
} from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  readNoticeCodes,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { confirmManualPayment } from "../backoffice/manual-payments/confirm.ts";
import {
  adminCancel,
  adminCancelForSum,
  adminComplete,
} from "../backoffice/transactions/administrator-commands.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { checkPayment, verifyPayment } from "../payment/check-payment.ts";
import { expirePayment } from "../payment/expire-payment.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { amendTrade } from "../trade/amend-trade.ts";
import { requestCancellation } from "../trade/party-commands.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { withdrawRequest } from "../trade/withdraw-request.ts";
import { followHold } from "./follow-hold.ts";
import { reportFraud } from "./report-fraud.ts";
import { resolveTradeHold } from "./resolve-hold.ts";
import { holdsOfTrade } from "./view.ts";

useDatabase();
const market = useSandboxProvider();
afterEach(() => market.behave({ reset: true }));

const minute = 60_000;
const reference = () => `HOLD-${crypto.randomUUID().slice(0, 8)}`;
const reasons = ({ id }: { id: number }) => openHoldReasons(db(), id);
const openHold = async (deal: PlantedTrade, wanted: string) => {
  const hold = (await holdsOf(db(), deal.id)).find((one) => one.reason === wanted && one.closedAt === null);
  if (hold === undefined) throw new Error(`no open ${wanted}`);
  return hold;
};
const payoutOf = async (deal: PlantedTrade, kind = "payout") =>
  (await payoutsOf(db(), deal.id)).find((one) => one.kind === kind && one.state !== "void")?.id ?? 0;
const providerIdOf = async (deal: PlantedTrade) => (await liveInvoice(db(), deal.id))?.providerId ?? "";
const setPayment = (id: string, change: ReturnType<typeof sql>) =>
  db().execute(sql`UPDATE sandbox.payments SET ${change} WHERE id = ${id}`);
const adminMails = async (task: string, code: string) => {
  const rows = await db().execute<{ recipient: string }>(sql`
    SELECT recipient FROM mailer.messages
    WHERE template = 'adminTask' AND data ->> 'task' = ${task} AND data ->> 'code' = ${code}`);
  return rows.map(({ recipient }) => recipient);
};

/** Tries every way to end an unpaid trade or to ask for its money again; returns what each answered. */
async function endings(deal: PlantedTrade): Promise<string[]> {
  const done = [
    await withdrawRequest(deal.seller, deal.id),
    await amendTrade(deal.seller, deal.id, { amount: 90_000 }),
    await issueInvoice(deal.buyer, deal.id, { fresh: true }),
    await adminCancel(deal.admin, deal.id),
  ];
  const due = new Date(Date.now() + 3 * 60 * minute);
  const expired = await runAtTime(due, () => expirePayment(deal.id, due));
  return [...done.map((one) => (one.ok ? "ok" : one.code)), expired ? "expired" : "stays"];
}
const refusedAll = [...Array(4).fill("TRADE_ON_HOLD"), "stays"];

describe("an unpaid trade neither ends nor restarts", () => {
  test("while every check is unanswered; the first response ends that", async () => {
    const deal = await createInvoicedTrade();
    await market.behave({ operation: "check", fail: 500, nextCalls: "all" });
    expect(await endings(deal)).toEqual(refusedAll);
    expect(await reasons(deal)).toContain("CHECK_UNANSWERED");
    await market.behave({ reset: true });
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await reasons(deal)).toEqual([]);
    expect(await withdrawRequest(deal.seller, deal.id)).toMatchObject({ ok: true, changed: true });
  });

  test("once the provider reported its invoice as paid without a payment; the payment is booked when listed", async () => {
    const deal = await createInvoicedTrade();
    const invoice = await providerIdOf(deal);
    await market.pay(deal);
    await market.behave({ operation: "check", hide: true, nextCalls: "all" });
    expect(await endings(deal)).toEqual(refusedAll);
    expect(await reasons(deal)).toEqual(["PAID_UNLISTED"]);
    const [{ withdrawal } = { withdrawal: "" }] = await db().execute<{ withdrawal: string }>(
      sql`SELECT withdrawal FROM payments.provider_invoices WHERE provider_id = ${invoice}`,
    );
    expect(withdrawal).toBe("paid");
    await market.behave({ reset: true });
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    expect(await reasons(deal)).toEqual([]);
    expect((await tradeNow(deal)).status).toBe("payment_confirmed");
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, suspense: 0 });
  });

  test("while its payment names another trade's invoice: neither trade gets the money, neither ends", async () => {
    const [mine, theirs] = [await createInvoicedTrade(), await createInvoicedTrade(200_000)];
    const billed = (await tradeNow(theirs)).gross;
    const named = await providerIdOf(theirs);
    await market.pay(mine);
    await market.behave({ operation: "check", namesInvoice: named, nextCalls: 1 });
    await expectAccepted(verifyPayment(mine.buyer, mine.id));
    expect((await tradeNow(mine)).status).not.toBe("payment_confirmed");
    expect(await moneyOf(mine)).toMatchObject({ held: 0, suspense: 0 });
    for (const deal of [mine, theirs]) expect(await reasons(deal)).toEqual(["FOREIGN_INVOICE"]);
    const due = new Date(Date.now() + 3 * 60 * minute);
    expect(await runAtTime(due, () => expirePayment(theirs.id, due))).toBe(false);
    const shown = await holdsOfTrade(theirs.admin, theirs.id);
    expect(shown.ok && shown.holds[0]).toMatchObject({
      ...{
        other: { id: mine.id },
        facts: { amount: "110000.00", currency: "MNT", namesInvoice: named, billed },
      },
      resolutions: [
        { outcome: "dismissed", twoPeople: false },
        { outcome: "booked", twoPeople: true },
      ],
    });
  });

  test("while the provider's total contradicts its rows", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal);
    await market.behave({ operation: "check", paidAmount: 1, nextCalls: "all" });
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ held: 0 });
    expect(await endings(deal)).toEqual(refusedAll);
    await market.behave({ reset: true });
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    expect(await reasons(deal)).toEqual([]);
    expect((await tradeNow(deal)).status).toBe("payment_confirmed");
  });
});

/** The ways in which an administrator ends an unpaid trade. */
const closings = [
  ["calls it off", adminCancel],
  ["closes it", adminComplete],
] as const;

describe("an administrator who ends an unpaid trade that has not been checked at the provider", () => {
  test.each(closings)("and %s is refused while its checks are unanswered", async (_, end) => {
    const deal = await createInvoicedTrade();
    await market.behave({ operation: "check", fail: 500, nextCalls: "all" });
    expect(await end(deal.admin, deal.id)).toMatchObject({ ok: false, code: "TRADE_ON_HOLD" });
    expect(await reasons(deal)).toEqual(["CHECK_UNANSWERED"]);
    await market.behave({ reset: true });
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await end(deal.admin, deal.id)).toMatchObject({ ok: true, changed: true });
  });

  test.each(closings)("and %s is refused if its invoice is paid and the list lags", async (_, end) => {
    const deal = await createInvoicedTrade();
    await market.pay(deal);
    await market.behave({ operation: "check", hide: true, nextCalls: "all" });
    expect(await end(deal.admin, deal.id)).toMatchObject({ ok: false, code: "TRADE_ON_HOLD" });
    expect(await reasons(deal)).toEqual(["PAID_UNLISTED"]);
  });

  test.each(closings)("and %s is refused if it was paid, and the money stays", async (_, end) => {
    const deal = await createInvoicedTrade();
    await market.pay(deal);
    expect(await end(deal.admin, deal.id)).toMatchObject({
      ...{ ok: false, code: "TRADE_OVERTAKEN", current: "payment_confirmed" },
    });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, suspense: 0, records: [] });
  });

  test("and cancels it is refused if a withdrawn QR code was paid since the last check", async () => {
    const deal = await createInvoicedTrade();
    const invoice = await providerIdOf(deal);
    expect(await adminCancelForSum(deal.admin, deal.id, { sum: 1 })).toMatchObject({ code: "SUM_DIFFERS" });
    await market.pay(deal, { callback: false }, invoice);
    expect(await adminCancelForSum(deal.admin, deal.id, { sum: 0 })).toMatchObject({
      ...{ ok: false, code: "TRADE_OVERTAKEN", current: "payment_confirmed" },
    });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, suspense: 0, records: [] });
  });

  test("causes no request if they may not end it", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal);
    for (const [, end] of closings) {
      expect(await end(deal.buyer, deal.id)).toMatchObject({ ok: false, code: "ADMIN_REQUIRED" });
    }
    expect((await tradeNow(deal)).status).toBe("payment_initiated");
  });
});

test("a seller cannot withdraw a request whose withdrawn QR code was paid since the last check", async () => {
  const deal = await createInvoicedTrade();
  const invoice = await providerIdOf(deal);
  await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 90_000 }));
  await market.pay(deal, { callback: false }, invoice);
  expect(await withdrawRequest(deal.seller, deal.id)).toMatchObject({ ok: false, code: "TRADE_OVERTAKEN" });
  expect((await tradeNow(deal)).status).toBe("payment_confirmed");
});

describe("an implausible amount", () => {
  test("is booked only once two administrators have found it real, up to what is owed", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal, { amount: 999_999_999_999 });
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    expect(await moneyOf(deal)).toMatchObject({ held: 0, suspense: 0 });
    const { id } = await openHold(deal, "IMPLAUSIBLE_AMOUNT");
    const found = { outcome: "booked", note: "seen on the merchant portal" } as const;
    const second = await plantUser({ isAdmin: true });
    expect(await resolveTradeHold(deal.buyer, id, found)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await resolveTradeHold({ ...deal.buyer, isAdmin: true }, id, found)).toMatchObject({
      code: "OWN_TRADE",
    });
    expect(await resolveTradeHold(deal.admin, 999_999, found)).toMatchObject({ code: "NOT_FOUND" });
    expect(await resolveTradeHold(deal.admin, id, found)).toMatchObject({ ok: true, state: "proposed" });
    expect(await moneyOf(deal)).toMatchObject({ held: 0 });
    expect(await resolveTradeHold(second, id, found)).toMatchObject({ ok: true, state: "closed" });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, suspense: 999_999_999_999 - 110_000 });
    expect((await tradeNow(deal)).status).toBe("payment_confirmed");
    // The provider still lists the payment.
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    expect(await reasons(deal)).toEqual([]);
    expect(await verifyLedger()).toMatchObject({ ok: true });
  });
});

describe("a payment that the provider takes back", () => {
  async function reversed(deal: PlantedTrade): Promise<void> {
    const [payment] = await paymentsOf(db(), deal.id);
    await setPayment(payment?.providerPaymentId ?? "", sql`status = 'REFUNDED'`);
  }

  test("is detected before a payout is approved, and nothing is sent", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    await reversed(deal);
    const id = await payoutOf(deal);
    const refusal = { ok: false, code: "TRADE_ON_HOLD", reasons: ["PAYMENT_REVERSED"] };
    expect(await approvePayout(deal.admin, id)).toMatchObject(refusal);
    expect(await settleShownTrade(deal.admin, deal.id, { bankReference: reference() })).toMatchObject(
      refusal,
    );
    expect((await payoutsOf(db(), deal.id)).map(({ state }) => state)).toEqual(["due"]);
    const second = await plantUser({ isAdmin: true });
    const hold = await openHold(deal, "PAYMENT_REVERSED");
    const found = { outcome: "taken_back", note: "QPay confirms by letter" } as const;
    expect(await resolveTradeHold(deal.admin, hold.id, found)).toMatchObject({ ok: true, state: "proposed" });
    expect(await resolveTradeHold(second, hold.id, found)).toMatchObject({ ok: true, state: "closed" });
    // The provider has returned the money to the buyer already: nobody is owed anything.
    expect(await tradeNow(deal)).toMatchObject({ status: "cancelled", endReason: "admin" });
    expect(await moneyOf(deal)).toMatchObject({ held: 0, suspense: 0 });
    expect((await payoutsOf(db(), deal.id)).map(({ state }) => state)).toEqual(["void"]);
    expect(await verifyLedger()).toMatchObject({ ok: true });
  });

  test("no longer counts as received: what the buyer pays again belongs to the trade", async () => {
    for (const again of ["provider", "manually"] as const) {
      const deal = await createInvoicedTrade();
      await market.pay(deal, { amount: 110_000 - 30_000 });
      await expectAccepted(verifyPayment(deal.buyer, deal.id));
      await reversed(deal);
      await expectAccepted(checkPayment(deal.id, "callback"));
      const [second, { id }] = [await plantUser({ isAdmin: true }), await openHold(deal, "PAYMENT_REVERSED")];
      for (const admin of [deal.admin, second]) {
        await expectAccepted(
          resolveTradeHold(admin, id, { outcome: "taken_back", note: "QPay confirms by letter" }),
        );
      }
      expect(await moneyOf(deal)).toMatchObject({ held: 0, suspense: 0 });
      if (again === "provider") {
        await expectAccepted(issueInvoice(deal.buyer, deal.id));
        await market.pay(deal, { amount: 110_000 });
        await expectAccepted(verifyPayment(deal.buyer, deal.id));
        expect(await moneyOf(deal)).toMatchObject({ held: 110_000, suspense: 0 });
        expect((await tradeNow(deal)).status).toBe("payment_confirmed");
      } else {
        const slip = { amount: 80_000, reference: reference() };
        await expectAccepted(confirmManualPayment(deal.admin, deal.id, slip));
        await expectAccepted(confirmManualPayment(second, deal.id, slip));
        expect(await moneyOf(deal)).toMatchObject({ held: 80_000, suspense: 0 });
      }
    }
    expect(await verifyLedger()).toMatchObject({ ok: true });
  });

  test("while another reason holds the trade too, ends it once that is resolved as well", async () => {
    const deal = await createPaidTrade();
    await reversed(deal);
    await expectAccepted(checkPayment(deal.id, "callback"));
    await expectAccepted(reportFraud(deal.admin, deal.id, { reason: "the account was sold twice" }));
    const second = await plantUser({ isAdmin: true });
    const found = { outcome: "taken_back", note: "QPay confirms by letter" } as const;
    const { id } = await openHold(deal, "PAYMENT_REVERSED");
    for (const who of [deal.admin, second]) await expectAccepted(resolveTradeHold(who, id, found));
    expect((await tradeNow(deal)).status).toBe("payment_confirmed");
    const report = await openHold(deal, "FRAUD_REPORT");
    await expectAccepted(
      resolveTradeHold(second, report.id, { outcome: "dismissed", note: "another account" }),
    );
    expect((await tradeNow(deal)).status).toBe("cancelled");
    expect(await moneyOf(deal)).toMatchObject({ held: 0, suspense: 0 });
    expect(await verifyLedger()).toMatchObject({ ok: true });
  });

  test("between approval and sending stops the sending", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    const id = await payoutOf(deal);
    await expectAccepted(approvePayout(deal.admin, id));
    await reversed(deal);
    await expectAccepted(checkPayment(deal.id, "callback"));
    const sent = await sendPayout(deal.admin, id, { bankReference: reference() });
    expect(sent).toMatchObject({ ok: false, code: "TRADE_ON_HOLD" });
  });

  test("after its money was sent is a loss, reported to every administrator once", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }));
    const { code } = await tradeNow(deal);
    const other = await plantUser({ isAdmin: true });
    await reversed(deal);
    await expectAccepted(checkPayment(deal.id, "callback"));
    for (let again = 0; again < 2; again++) await followHold(deal.id);
    const told = await adminMails("loss", code);
    const addresses = await db().execute<{ id: number; email: string }>(
      sql`SELECT id::int, email FROM identity.users WHERE id IN (${deal.admin.userId}, ${other.userId})`,
    );
    for (const { email } of addresses) expect(told.filter((one) => one === email)).toHaveLength(1);
    // The trade is over for its parties: they have nothing to do.
    expect(await readNoticeCodes(deal)).not.toContain("paymentOnHold");
  });

  test("makes the payout wait if the provider does not answer", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    await market.behave({ operation: "check", fail: 500, nextCalls: "all" });
    const id = await payoutOf(deal);
    expect(await approvePayout(deal.admin, id)).toMatchObject({
      ...{ code: "TRADE_ON_HOLD", reasons: ["CHECK_UNANSWERED"] },
    });
    await market.behave({ reset: true });
    expect(await approvePayout(deal.admin, id)).toMatchObject({ ok: true });
  });
});

describe("a payment of the amount that was confirmed manually", () => {
  async function confirmedManually(): Promise<PlantedTrade> {
    const deal = await createInvoicedTrade();
    const slip = { amount: 110_000, reference: reference() };
    await expectAccepted(confirmManualPayment(deal.admin, deal.id, slip));
    await expectAccepted(confirmManualPayment(await plantUser({ isAdmin: true }), deal.id, slip));
    return deal;
  }

  test("made after the seller was paid is the buyer's: suspense, a refund, and a hold until a person has checked it", async () => {
    const deal = await confirmedManually();
    const invoice = await db().execute<{ provider_id: string }>(sql`
      SELECT provider_id FROM payments.invoices WHERE reference = ${deal.id}`);
    await confirmByBoth(deal);
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }));
    await market.pay(deal, {}, invoice[0]?.provider_id ?? "");
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await moneyOf(deal)).toMatchObject({ held: 0, suspense: 110_000 });
    const refund = await payoutOf(deal, "refund");
    expect(await reasons(deal)).toEqual(["SECOND_PAYMENT"]);
    expect(await approvePayout(deal.admin, refund)).toMatchObject({ code: "TRADE_ON_HOLD" });
    const { id } = await openHold(deal, "SECOND_PAYMENT");
    const two = { outcome: "dismissed", note: "two transfers on the statement" } as const;
    // Both payments arrived: one administrator alone cannot let the refund leave.
    expect(await expectAccepted(resolveTradeHold(deal.admin, id, two))).toMatchObject({ state: "proposed" });
    expect(await approvePayout(deal.admin, refund)).toMatchObject({ code: "TRADE_ON_HOLD" });
    await expectAccepted(resolveTradeHold(await plantUser({ isAdmin: true }), id, two));
    expect(await reasons(deal)).toEqual([]);
    expect(await moneyOf(deal)).toMatchObject({ suspense: 110_000 });
  });

  test("that two administrators find to be the same money is booked once", async () => {
    const deal = await confirmedManually();
    const [{ provider_id = "" } = {}] = await db().execute<{ provider_id: string }>(sql`
      SELECT provider_id FROM payments.invoices WHERE reference = ${deal.id}`);
    await market.pay(deal, {}, provider_id);
    await expectAccepted(checkPayment(deal.id, "callback"));
    const { id } = await openHold(deal, "SECOND_PAYMENT");
    const found = { outcome: "same_payment", note: "one transfer on the statement" } as const;
    const second = await plantUser({ isAdmin: true });
    await expectAccepted(resolveTradeHold(deal.admin, id, found));
    await expectAccepted(resolveTradeHold(second, id, found));
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, suspense: 0 });
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await reasons(deal)).toEqual([]);
    // Another payment, made before the proposal but listed only now, is a different payment.
    const [late = ""] = (await market.pay(deal, {}, provider_id)).paymentIds;
    await setPayment(late, sql`paid_at = now() - interval '10 minutes'`);
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, suspense: 110_000 });
    expect(await verifyLedger()).toMatchObject({ ok: true });
  });
});

describe("both sides", () => {
  test("read one notice when their payment is being checked, and one when that is over", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal, { currency: "USD" });
    await market.pay(deal, { amount: 1_000.5 });
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    for (let again = 0; again < 2; again++) await followHold(deal.id);
    const said = async () => (await readNoticeCodes(deal)).filter((code) => /hold/i.test(code));
    expect(await said()).toEqual(["paymentOnHold"]);
    for (const wanted of ["WRONG_CURRENCY", "FRACTIONAL_AMOUNT"]) {
      const { id } = await openHold(deal, wanted);
      await expectAccepted(resolveTradeHold(deal.admin, id, { outcome: "dismissed", note: "sent back" }));
      await followHold(deal.id);
    }
    expect(await said()).toEqual(["paymentOnHold", "paymentHoldEnded"]);
  });

  test("are not notified of a provider that is silent for a moment", async () => {
    const deal = await createInvoicedTrade();
    await market.behave({ operation: "check", fail: 500, nextCalls: "all" });
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    await followHold(deal.id);
    expect(await readNoticeCodes(deal)).not.toContain("paymentOnHold");
    expect(await adminMails("hold", (await tradeNow(deal)).code)).toEqual([]);
  });
});

test("an administrator who suspects fraud stops everything of a trade until someone has checked it", async () => {
  const deal = await createPaidTrade();
  const report = { reason: "the account was sold twice" };
  expect(await reportFraud(deal.buyer, deal.id, report)).toMatchObject({ code: "ADMIN_REQUIRED" });
  expect(await reportFraud({ ...deal.seller, isAdmin: true }, deal.id, report)).toMatchObject({
    code: "OWN_TRADE",
  });
  for (let press = 0; press < 2; press++) await expectAccepted(reportFraud(deal.admin, deal.id, report));
  const another = await plantUser({ isAdmin: true });
  await expectAccepted(reportFraud(another, deal.id, report));
  await followHold(deal.id);
  expect((await readNoticeCodes(deal)).filter((code) => /hold/i.test(code))).toEqual(["tradeOnHold"]);
  for (const side of [deal.buyer, deal.seller]) {
    const seen = (await expectAccepted(readTrade(side, deal.id))).trade;
    expect(seen).toMatchObject({ heldForChecking: true, tradeChecked: true });
  }
  expect(await requestCancellation(deal.buyer, deal.id)).toMatchObject({ ok: true });
  expect(await requestCancellation(deal.seller, deal.id)).toMatchObject({ code: "TRADE_ON_HOLD" });
  expect(await adminCancel(deal.admin, deal.id)).toMatchObject({
    ...{ code: "TRADE_ON_HOLD", reasons: ["FRAUD_REPORT"] },
  });
  for (const _ of [deal.admin, another]) {
    const { id } = await openHold(deal, "FRAUD_REPORT");
    expect(await requestCancellation(deal.seller, deal.id)).toMatchObject({ code: "TRADE_ON_HOLD" });
    const cleared = { outcome: "dismissed", note: "it was another account" } as const;
    // While Midman holds money, the administrator whose step the hold stops cannot lift it alone.
    expect(await expectAccepted(resolveTradeHold(deal.admin, id, cleared))).toMatchObject({
      state: "proposed",
    });
    await expectAccepted(resolveTradeHold(another, id, cleared));
  }
  expect(await requestCancellation(deal.seller, deal.id)).toMatchObject({ ok: true });
});
