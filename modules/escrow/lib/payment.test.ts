import { describe, expect, test } from "bun:test";
import { db, transaction } from "#db/client";
import { setAdmin } from "#modules/identity";
import { invoices, liveInvoice, payoutsOf } from "#modules/payments";
import { useDatabase } from "../../../tests/support/database.ts";
import {
  audited,
  drain,
  invoiced,
  mails,
  moneyOf,
  must,
  notices,
  requested,
  soundLedger,
  useMarket,
} from "../../../tests/support/market.ts";
import { plantUser } from "../../../tests/support/trade.ts";
import { confirmByHand } from "./admin-by-hand.ts";
import { adminCancel } from "./admin-trade.ts";
import { checkPayment, verifyPayment } from "./check-payment.ts";
import { identityGuard } from "./going.ts";
import { roomGuards } from "./guards.ts";
import { saveRefundDestination } from "./information.refund.ts";
import { issueInvoice } from "./issue-invoice.ts";
import { markPaid } from "./mark-paid.ts";
import { tradeNow } from "./trade.fixture.ts";
import { amendTrade } from "./trades.amend.ts";
import { adminTrade } from "./views.admin.ts";
import { workQueue } from "./views.queue.ts";

useDatabase();
const market = useMarket();

describe("the invoice", () => {
  test("is one and the same for all who ask at once", async () => {
    const deal = await requested();
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => must(issueInvoice(i % 2 ? deal.buyer : deal.seller, deal.id))),
    );
    expect(new Set(all.map(({ invoice }) => invoice.id)).size).toBe(1);
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await invoices(db(), deal.id)).toHaveLength(1);
    const trade = await tradeNow(deal);
    expect(trade).toMatchObject({ status: "payment_initiated", invoiceId: all[0]?.invoice.id ?? "" });
    expect(trade.rolesLockedAt).not.toBeNull();
    expect(await notices(deal)).toEqual(["paymentRequested", "paymentQr"]);
    expect(Object.keys(trade.steps)).toEqual(["initiated", "payment_initiated"]);
  });

  test("wanted fresh by many at once is replaced once, and the old one is cancelled at the provider", async () => {
    const deal = await invoiced();
    const old = await liveInvoice(db(), deal.id);
    await market.behave({ payAfterCancel: false });
    const all = await Promise.all(
      Array.from({ length: 6 }, () => must(issueInvoice(deal.buyer, deal.id, { fresh: true }))),
    );
    expect(new Set(all.map(({ invoice }) => invoice.id)).size).toBe(1);
    const states = (await invoices(db(), deal.id)).map(({ state }) => state);
    expect(states).toEqual(["cancelled", "open"]);
    await expect(market.pay(deal, {}, old?.providerId)).rejects.toThrow("INVOICE_ALREADY_CANCELED");
    await market.behave({ reset: true });
  });

  test("does not come while the provider is away, and comes with the same row when it is back", async () => {
    const deal = await requested();
    await market.behave({ operation: "invoice", fail: 503, nextCalls: "all" });
    expect(await issueInvoice(deal.buyer, deal.id)).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
    expect((await tradeNow(deal)).status).toBe("initiated");
    await market.behave({ reset: true });
    const issued = await must(issueInvoice(deal.buyer, deal.id));
    expect((await invoices(db(), deal.id)).map(({ id }) => id)).toEqual([issued.invoice.id]);
  });

  test("is for nobody else", async () => {
    const deal = await invoiced();
    const stranger = await plantUser();
    const missing = { ok: false, code: "TRANSACTION_NOT_FOUND" } as const;
    expect(await issueInvoice(stranger, deal.id)).toEqual(missing);
    expect(await verifyPayment(stranger, deal.id)).toEqual(missing);
    expect(await markPaid(stranger, deal.id)).toEqual(missing);
    expect(await issueInvoice(deal.admin, deal.id)).toEqual(missing);
  });
});

describe("a payment", () => {
  test("is pending while nothing has come, and confirmed once it has: notice, step, mails, ledger", async () => {
    const deal = await invoiced();
    expect(await must(verifyPayment(deal.buyer, deal.id))).toMatchObject({
      changed: true,
      trade: { status: "payment_pending" },
    });
    expect(await verifyPayment(deal.seller, deal.id)).toMatchObject({ code: "BUYER_ONLY" });
    await market.pay(deal);
    const paid = await must(verifyPayment(deal.buyer, deal.id));
    expect(paid).toMatchObject({ changed: true, trade: { status: "payment_confirmed", held: 110_000 } });
    expect(await must(verifyPayment(deal.buyer, deal.id))).toMatchObject({ changed: false });
    expect(await notices(deal)).toEqual(["paymentRequested", "paymentQr", "paymentConfirmed"]);
    expect(await mails(deal.buyer)).toEqual(["paymentRequested", "paymentConfirmed"]);
    expect(await mails(deal.seller)).toEqual(["paymentConfirmed"]);
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
    expect(Object.keys((await tradeNow(deal)).deadlines)).toEqual(["hand_over"]);
    expect(await roomGuards.maskContacts(db(), deal.roomId)).toBe(false);
    expect(await transaction((tx) => roomGuards.mayLeave(tx, deal.roomId, deal.buyer.userId))).toMatchObject({
      code: "MONEY_HELD",
    });
    const going = await transaction(async (tx) => identityGuard.mayDeleteUser?.(tx, deal.seller.userId));
    expect(going).toEqual({ ok: false, code: "MONEY_HELD" });
    await soundLedger();
  });

  test("comes by the provider's callback, through a job", async () => {
    const deal = await invoiced();
    await market.pay(deal, { callback: 3 });
    expect((await tradeNow(deal)).status).toBe("payment_initiated");
    await drain();
    expect((await tradeNow(deal)).status).toBe("payment_confirmed");
    expect((await audited(deal)).filter((action) => action === "transaction.payment_checked")).toHaveLength(
      1,
    );
  });

  test("marked by the buyer is looked for at once; while the provider is silent the word stands", async () => {
    const deal = await invoiced();
    await market.behave({ operation: "check", fail: 503, nextCalls: "all" });
    expect(await must(markPaid(deal.buyer, deal.id))).toMatchObject({
      trade: { status: "payment_processing" },
    });
    await market.behave({ reset: true });
    expect(await must(markPaid(deal.buyer, deal.id))).toMatchObject({ trade: { status: "payment_pending" } });
    await market.pay(deal);
    expect(await must(markPaid(deal.buyer, deal.id))).toMatchObject({
      trade: { status: "payment_confirmed" },
    });
    expect(await must(markPaid(deal.buyer, deal.id))).toMatchObject({ changed: false });
    expect((await notices(deal)).filter((code) => code === "markedPaid")).toHaveLength(1);
  });

  test("too small leaves the rest to be paid by a new QR", async () => {
    const deal = await invoiced();
    await market.pay(deal, { amount: 70_000 });
    const part = await must(verifyPayment(deal.buyer, deal.id));
    expect(part.trade).toMatchObject({ status: "payment_processing", held: 70_000 });
    expect(await must(verifyPayment(deal.buyer, deal.id))).toMatchObject({ changed: false });
    expect(await amendTrade(deal.seller, deal.id, { amount: 1_000 })).toMatchObject({ code: "MONEY_BOOKED" });
    const { invoice } = await must(issueInvoice(deal.buyer, deal.id));
    expect(invoice.amount).toBe(40_000);
    expect((await tradeNow(deal)).status).toBe("payment_processing");
    await market.pay(deal);
    expect((await must(verifyPayment(deal.buyer, deal.id))).trade.status).toBe("payment_confirmed");
    expect(await notices(deal)).toEqual([
      "paymentRequested",
      "paymentQr",
      "paymentPartial",
      "paymentQr",
      "paymentConfirmed",
    ]);
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
  });

  test("too large, or twice, leaves the excess in suspense with its refund due", async () => {
    const deal = await invoiced();
    await market.pay(deal, { amount: 120_000 });
    await market.pay(deal, { amount: 5_000 }, (await invoices(db(), deal.id))[0]?.providerId);
    await must(verifyPayment(deal.buyer, deal.id));
    expect(await moneyOf(deal)).toEqual({
      held: 110_000,
      suspense: 15_000,
      records: ["refund 10000+0 suspense due", "refund 5000+0 suspense due"],
    });
    expect(await notices(deal)).toEqual([
      "paymentRequested",
      "paymentQr",
      "paymentConfirmed",
      "excessReceived",
    ]);
    expect(await mails(deal.buyer)).toContain("refundAccountNeeded");
    await soundLedger();
  });

  test("in excess is the buyer's once they say where it goes, beside the bank it came from", async () => {
    const deal = await invoiced();
    await market.pay(deal, { amount: 120_000 });
    await must(verifyPayment(deal.buyer, deal.id));
    const home = {
      accountName: "Dorj",
      bankName: "Golomt Bank",
      accountNumber: "1105123456",
      ibanNumber: undefined,
    };
    expect((await saveRefundDestination(deal.buyer, deal.id, home)).ok).toBe(true);
    const [refund] = await payoutsOf(db(), deal.id);
    expect(refund).toMatchObject({
      recipientId: deal.buyer.userId,
      destination: { bankName: "Golomt Bank" },
    });
    const seen = await adminTrade(deal.admin, deal.id);
    expect(seen.ok && seen.detail.payouts).toMatchObject([{ kind: "refund", payerBanks: ["050000"] }]);
    const queue = await workQueue(deal.admin);
    const task = queue.ok ? queue.queue.payouts.find(({ transactionId }) => transactionId === deal.id) : null;
    expect(task).toMatchObject({ recipient: { id: deal.buyer.userId }, payerBanks: ["050000"] });
  });

  test("that comes after the end never revives the trade", async () => {
    const deal = await invoiced();
    const invoice = await liveInvoice(db(), deal.id);
    await must(adminCancel(deal.admin, deal.id));
    await market.pay(deal, {}, invoice?.providerId);
    const late = await must(checkPayment(deal.id, "callback"));
    expect(late).toMatchObject({ changed: false, trade: { status: "cancelled" } });
    expect(await moneyOf(deal)).toEqual({
      held: 0,
      suspense: 110_000,
      records: ["refund 110000+0 suspense due"],
    });
  });

  test("that only fails says so, and a new QR begins again", async () => {
    const deal = await invoiced();
    await market.pay(deal, { status: "FAILED" });
    expect((await must(verifyPayment(deal.buyer, deal.id))).trade.status).toBe("payment_failed");
    await must(issueInvoice(deal.buyer, deal.id, { fresh: true }));
    expect((await tradeNow(deal)).status).toBe("payment_initiated");
  });

  test("on a QR that an amendment cancelled counts for the new sum", async () => {
    const deal = await invoiced();
    const old = await liveInvoice(db(), deal.id);
    await must(amendTrade(deal.seller, deal.id, { amount: 60_000 }));
    await market.pay(deal, {}, old?.providerId);
    const paid = await must(checkPayment(deal.id, "callback"));
    expect(paid.trade.status).toBe("payment_confirmed");
    expect(await moneyOf(deal)).toMatchObject({ held: 68_000, suspense: 42_000 });
  });
});

describe("a confirmation by hand", () => {
  test("takes two administrators and is not booked again when the provider reports it", async () => {
    const deal = await invoiced();
    const second = await plantUser({ isAdmin: true });
    const slip = { amount: 110_000, reference: "fs 77" };
    expect(await must(confirmByHand(deal.admin, deal.id, slip))).toMatchObject({
      state: "proposed",
      changed: true,
    });
    expect(await must(confirmByHand(deal.admin, deal.id, slip))).toMatchObject({
      state: "proposed",
      changed: false,
    });
    expect(await confirmByHand(second, deal.id, { ...slip, amount: 1 })).toMatchObject({
      code: "PROPOSAL_DIFFERS",
    });
    const made = { ...(await plantUser()), isAdmin: true };
    expect(await setAdmin(deal.admin, made.userId, true)).toEqual({ ok: true });
    expect(await confirmByHand(made, deal.id, slip)).toMatchObject({ code: "FOUR_EYES_RELATED" });
    const done = await must(confirmByHand(second, deal.id, slip));
    expect(done).toMatchObject({ state: "confirmed", trade: { status: "payment_confirmed" } });
    expect(await must(confirmByHand(second, deal.id, slip))).toMatchObject({
      state: "confirmed",
      changed: false,
    });
    await market.pay(deal);
    await must(checkPayment(deal.id, "callback"));
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
    const elsewhere = await invoiced();
    expect(await confirmByHand(deal.admin, elsewhere.id, slip)).toMatchObject({
      code: "BANK_REFERENCE_USED",
    });
  });

  test("of one slip for several trades at the same moment stands for one of them", async () => {
    const deals = await Promise.all(Array.from({ length: 6 }, () => invoiced()));
    const slip = { amount: 110_000, reference: "one slip" };
    const answers = await Promise.all(deals.map((deal) => confirmByHand(deal.admin, deal.id, slip)));
    const codes = answers.map((answer) => (answer.ok ? answer.state : answer.code)).sort();
    expect(codes).toEqual([...Array(5).fill("BANK_REFERENCE_USED"), "proposed"]);
  });

  test("is refused to a party, to who is no administrator, and after a long login", async () => {
    const deal = await invoiced();
    const slip = { amount: 110_000, reference: "x1" };
    expect(await confirmByHand(deal.buyer, deal.id, slip)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await confirmByHand({ ...deal.buyer, isAdmin: true }, deal.id, slip)).toMatchObject({
      code: "OWN_TRADE",
    });
    const stale = { ...deal.admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    expect(await confirmByHand(stale, deal.id, slip)).toMatchObject({ code: "REAUTH_REQUIRED" });
  });
});
