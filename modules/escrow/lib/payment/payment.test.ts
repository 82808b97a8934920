import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { listEntries } from "#modules/audit";
import { setAdmin } from "#modules/identity";
import { listInvoices, liveInvoice, payoutsOf } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  assertSoundLedger,
  createInvoicedTrade,
  createRequestedTrade,
  expectAccepted,
  moneyOf,
  readAuditActions,
  readMailTemplates,
  readNoticeCodes,
  runAtTime,
  runDueJobs,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { confirmManualPayment } from "../backoffice/manual-payments/confirm.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { adminTrade } from "../backoffice/transactions/transaction-view.ts";
import { workQueue } from "../backoffice/work-queue/work-queue.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { identityGuard } from "../privacy/account-deletion-guard.ts";
import { amendTrade } from "../trade/amend-trade.ts";
import { roomGuards } from "../trade/room-guards.ts";
import { checkPayment, verifyPayment } from "./check-payment.ts";
import { issueInvoice } from "./issue-invoice.ts";
import { markPaid } from "./mark-paid.ts";

useDatabase();
const market = useSandboxProvider();

describe("an invoice", () => {
  test("is the same one for all who request it at once", async () => {
    const deal = await createRequestedTrade();
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        expectAccepted(issueInvoice(i % 2 ? deal.buyer : deal.seller, deal.id)),
      ),
    );
    expect(new Set(all.map(({ invoice }) => invoice.id)).size).toBe(1);
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await listInvoices(db(), deal.id)).toHaveLength(1);
    const trade = await tradeNow(deal);
    expect(trade).toMatchObject({ status: "payment_initiated", invoiceId: all[0]?.invoice.id ?? "" });
    expect(trade.rolesLockedAt).not.toBeNull();
    expect(await readNoticeCodes(deal)).toEqual(["paymentRequested", "paymentQr"]);
    expect(Object.keys(trade.steps)).toEqual(["initiated", "payment_initiated"]);
  });

  test("renewed by many at once is replaced once, and the old one is cancelled at the provider", async () => {
    const deal = await createInvoicedTrade();
    const old = await liveInvoice(db(), deal.id);
    await market.behave({ payAfterCancel: false });
    const all = await Promise.all(
      Array.from({ length: 6 }, () => expectAccepted(issueInvoice(deal.buyer, deal.id, { fresh: true }))),
    );
    expect(new Set(all.map(({ invoice }) => invoice.id)).size).toBe(1);
    const states = (await listInvoices(db(), deal.id)).map(({ state }) => state);
    expect(states).toEqual(["cancelled", "open"]);
    await expect(market.pay(deal, {}, old?.providerId)).rejects.toThrow("INVOICE_ALREADY_CANCELED");
    await market.behave({ reset: true });
  });

  test("is created by the seller's request once; further ones are the buyer's, and the seller still sees the live one", async () => {
    const deal = await createRequestedTrade();
    const first = await expectAccepted(issueInvoice(deal.seller, deal.id));
    expect(first.trade.status).toBe("payment_initiated");
    const refused = { ok: false, code: "BUYER_ONLY", current: "payment_initiated" } as const;
    expect(await issueInvoice(deal.seller, deal.id, { fresh: true })).toMatchObject(refused);
    expect(await expectAccepted(issueInvoice(deal.seller, deal.id))).toMatchObject({
      changed: false,
      invoice: { id: first.invoice.id },
    });
    const expired = new Date(first.invoice.expiresAt.getTime() + 1_000);
    expect(await runAtTime(expired, () => issueInvoice(deal.seller, deal.id))).toMatchObject(refused);
    expect((await listInvoices(db(), deal.id)).map(({ state }) => state)).toEqual(["open"]);
    const next = await runAtTime(expired, () => expectAccepted(issueInvoice(deal.buyer, deal.id)));
    expect(next.invoice.id).not.toBe(first.invoice.id);
    await runAtTime(expired, async () => {
      await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 50_000 }));
      expect(await issueInvoice(deal.seller, deal.id)).toMatchObject({ ok: false, code: "BUYER_ONLY" });
      expect(await expectAccepted(issueInvoice(deal.buyer, deal.id))).toMatchObject({ changed: true });
    });
  });

  test("is not created while the provider is down, and is created with the same row when it is back", async () => {
    const deal = await createRequestedTrade();
    await market.behave({ operation: "invoice", fail: 503, nextCalls: "all" });
    expect(await issueInvoice(deal.buyer, deal.id)).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
    expect((await tradeNow(deal)).status).toBe("initiated");
    await market.behave({ reset: true });
    const issued = await expectAccepted(issueInvoice(deal.buyer, deal.id));
    expect((await listInvoices(db(), deal.id)).map(({ id }) => id)).toEqual([issued.invoice.id]);
  });

  test("is refused to everybody else", async () => {
    const deal = await createInvoicedTrade();
    const stranger = await plantUser();
    const missing = { ok: false, code: "TRANSACTION_NOT_FOUND" } as const;
    expect(await issueInvoice(stranger, deal.id)).toEqual(missing);
    expect(await verifyPayment(stranger, deal.id)).toEqual(missing);
    expect(await markPaid(stranger, deal.id)).toEqual(missing);
    expect(await issueInvoice(deal.admin, deal.id)).toEqual(missing);
  });
});

describe("a payment", () => {
  test("is pending while nothing has arrived, and confirmed once it has: notice, step, mails, ledger", async () => {
    const deal = await createInvoicedTrade();
    expect(await expectAccepted(verifyPayment(deal.buyer, deal.id))).toMatchObject({
      changed: true,
      trade: { status: "payment_pending" },
    });
    expect(await verifyPayment(deal.seller, deal.id)).toMatchObject({ code: "BUYER_ONLY" });
    await market.pay(deal);
    const paid = await expectAccepted(verifyPayment(deal.buyer, deal.id));
    expect(paid).toMatchObject({ changed: true, trade: { status: "payment_confirmed", held: 110_000 } });
    expect(await expectAccepted(verifyPayment(deal.buyer, deal.id))).toMatchObject({ changed: false });
    expect(await readNoticeCodes(deal)).toEqual(["paymentRequested", "paymentQr", "paymentConfirmed"]);
    expect(await readMailTemplates(deal.buyer)).toEqual(["paymentRequested", "paymentConfirmed"]);
    expect(await readMailTemplates(deal.seller)).toEqual(["paymentConfirmed"]);
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
    expect(Object.keys((await tradeNow(deal)).deadlines)).toEqual(["hand_over"]);
    expect(await roomGuards.maskContacts(db(), deal.roomId)).toBe("none");
    expect(
      await runInTransaction((tx) => roomGuards.mayLeave(tx, deal.roomId, deal.buyer.userId)),
    ).toMatchObject({
      code: "MONEY_HELD",
    });
    const going = await runInTransaction(async (tx) => identityGuard.mayDeleteUser?.(tx, deal.seller.userId));
    expect(going).toEqual({ ok: false, code: "MONEY_HELD" });
    await assertSoundLedger();
  });

  test("is found by the provider's callback, through a job", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal, { callback: 3 });
    expect((await tradeNow(deal)).status).toBe("payment_initiated");
    await runDueJobs();
    expect((await tradeNow(deal)).status).toBe("payment_confirmed");
    expect(
      (await readAuditActions(deal)).filter((action) => action === "transaction.payment_checked"),
    ).toHaveLength(1);
  });

  test("marked by the buyer is checked immediately; while the provider is silent the mark stays", async () => {
    const deal = await createInvoicedTrade();
    await market.behave({ operation: "check", fail: 503, nextCalls: "all" });
    expect(await expectAccepted(markPaid(deal.buyer, deal.id))).toMatchObject({
      changed: true,
      trade: { status: "payment_processing" },
    });
    expect(await expectAccepted(markPaid(deal.buyer, deal.id))).toMatchObject({ changed: false });
    await market.behave({ reset: true });
    expect(await expectAccepted(markPaid(deal.buyer, deal.id))).toMatchObject({
      changed: true,
      trade: { status: "payment_pending" },
    });
    await market.pay(deal);
    expect(await expectAccepted(markPaid(deal.buyer, deal.id))).toMatchObject({
      trade: { status: "payment_confirmed" },
    });
    const asks = async () => {
      const [row] = await db().execute<{
        asks: string;
      }>(sql`SELECT sum(p.asks) AS asks FROM payments.provider_invoices p
        JOIN payments.invoices i ON i.id = p.invoice_id WHERE i.reference = ${deal.id}`);
      return Number(row?.asks);
    };
    const asked = await asks();
    expect(asked).toBeGreaterThan(0);
    expect(await expectAccepted(markPaid(deal.buyer, deal.id))).toMatchObject({ changed: false });
    expect(await asks()).toBe(asked);
    expect((await readNoticeCodes(deal)).filter((code) => code === "markedPaid")).toHaveLength(1);
  });

  test("too small leaves the rest to be paid by a new QR code", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal, { amount: 70_000 });
    const part = await expectAccepted(verifyPayment(deal.buyer, deal.id));
    expect(part.trade).toMatchObject({ status: "payment_processing", held: 70_000 });
    expect(await expectAccepted(verifyPayment(deal.buyer, deal.id))).toMatchObject({ changed: false });
    expect(await amendTrade(deal.seller, deal.id, { amount: 1_000 })).toMatchObject({ code: "MONEY_BOOKED" });
    const { invoice } = await expectAccepted(issueInvoice(deal.buyer, deal.id));
    expect(invoice.amount).toBe(40_000);
    expect((await tradeNow(deal)).status).toBe("payment_processing");
    await market.pay(deal);
    expect((await expectAccepted(verifyPayment(deal.buyer, deal.id))).trade.status).toBe("payment_confirmed");
    expect(await readNoticeCodes(deal)).toEqual([
      "paymentRequested",
      "paymentQr",
      "paymentPartial",
      "paymentQr",
      "paymentConfirmed",
    ]);
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
  });

  test("too large, or twice, puts the excess in suspense with its refund due", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal, { amount: 120_000 });
    await market.pay(deal, { amount: 5_000 }, (await listInvoices(db(), deal.id))[0]?.providerId);
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    expect(await moneyOf(deal)).toEqual({
      held: 110_000,
      suspense: 15_000,
      records: ["refund 10000+0 suspense due", "refund 5000+0 suspense due"],
    });
    expect(await readNoticeCodes(deal)).toEqual([
      "paymentRequested",
      "paymentQr",
      "paymentConfirmed",
      "excessReceived",
    ]);
    expect(await readMailTemplates(deal.buyer)).toContain("refundAccountNeeded");
    await assertSoundLedger();
  });

  test("in excess is refunded once the buyer enters an account, shown beside the bank it came from", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal, { amount: 120_000 });
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
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

  test("after the end never revives the trade", async () => {
    const deal = await createInvoicedTrade();
    const invoice = await liveInvoice(db(), deal.id);
    await expectAccepted(adminCancel(deal.admin, deal.id));
    await market.pay(deal, {}, invoice?.providerId);
    const late = await expectAccepted(checkPayment(deal.id, "callback"));
    expect(late).toMatchObject({ changed: false, trade: { status: "cancelled" } });
    expect(await moneyOf(deal)).toEqual({
      held: 0,
      suspense: 110_000,
      records: ["refund 110000+0 suspense due"],
    });
  });

  test("that only fails is reported, and a new QR code starts over", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal, { status: "FAILED" });
    expect((await expectAccepted(verifyPayment(deal.buyer, deal.id))).trade.status).toBe("payment_failed");
    await expectAccepted(issueInvoice(deal.buyer, deal.id, { fresh: true }));
    expect((await tradeNow(deal)).status).toBe("payment_initiated");
  });

  test("on a QR code that an amendment cancelled counts for the new amount", async () => {
    const deal = await createInvoicedTrade();
    const old = await liveInvoice(db(), deal.id);
    await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 60_000 }));
    await market.pay(deal, {}, old?.providerId);
    const paid = await expectAccepted(checkPayment(deal.id, "callback"));
    expect(paid.trade.status).toBe("payment_confirmed");
    expect(await moneyOf(deal)).toMatchObject({ held: 68_000, suspense: 42_000 });
  });
});

describe("a manual confirmation", () => {
  test("needs two administrators and is not booked again when the provider reports it", async () => {
    const deal = await createInvoicedTrade();
    const second = await plantUser({ isAdmin: true });
    const slip = { amount: 110_000, reference: "fs 77" };
    // The payment was made before, and is listed only later.
    const { paymentIds } = await market.pay(deal);
    const listedAs = (status: string) =>
      db().execute(sql`UPDATE sandbox.payments SET status = ${status} WHERE id = ${paymentIds[0] ?? ""}`);
    await listedAs("NEW");
    expect(await expectAccepted(confirmManualPayment(deal.admin, deal.id, slip))).toMatchObject({
      state: "proposed",
      changed: true,
    });
    expect(await expectAccepted(confirmManualPayment(deal.admin, deal.id, slip))).toMatchObject({
      state: "proposed",
      changed: false,
    });
    expect(await confirmManualPayment(second, deal.id, { ...slip, amount: 1 })).toMatchObject({
      code: "PROPOSAL_DIFFERS",
    });
    expect(await confirmManualPayment(second, deal.id, { ...slip, reference: "fs 78" })).toMatchObject({
      code: "PROPOSAL_DIFFERS",
    });
    const made = { ...(await plantUser()), isAdmin: true };
    expect(await setAdmin(deal.admin, made.userId, true)).toEqual({ ok: true });
    expect(await confirmManualPayment(made, deal.id, slip)).toMatchObject({ code: "FOUR_EYES_RELATED" });
    const done = await expectAccepted(
      confirmManualPayment(second, deal.id, { ...slip, reference: " FS 77 " }),
    );
    expect(done).toMatchObject({ state: "confirmed", trade: { status: "payment_confirmed" } });
    expect(await expectAccepted(confirmManualPayment(second, deal.id, slip))).toMatchObject({
      state: "confirmed",
      changed: false,
    });
    await listedAs("PAID");
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
    const elsewhere = await createInvoicedTrade();
    expect(await confirmManualPayment(deal.admin, elsewhere.id, slip)).toMatchObject({
      code: "BANK_REFERENCE_USED",
    });
  });

  test("corrected by its proposer is logged as corrected, without the figures", async () => {
    const deal = await createInvoicedTrade();
    const proposals: number[] = [];
    for (const amount of [100_000, 110_000]) {
      await expectAccepted(
        confirmManualPayment(deal.admin, deal.id, { amount, reference: `corrected ${deal.id}` }),
      );
      const seen = await adminTrade(deal.admin, deal.id);
      proposals.push((seen.ok && seen.detail.byHand.open?.id) || 0);
    }
    const [first = 0, second = 0] = proposals;
    expect(second).toBeGreaterThan(first);
    const { entries } = await listEntries({ subject: { kind: "transaction", id: deal.id }, limit: 50 });
    const proposed = entries.filter(({ action }) => action === "transaction.propose_by_hand");
    expect(proposed.map(({ data: { digest: _, ...data } }) => data)).toEqual([
      { before: first, after: second },
      { before: null, after: first },
    ]);
  });

  test("with one bank reference for several trades at the same moment counts for one of them", async () => {
    const deals = await Promise.all(Array.from({ length: 6 }, () => createInvoicedTrade()));
    const slip = { amount: 110_000, reference: "one slip" };
    const answers = await Promise.all(deals.map((deal) => confirmManualPayment(deal.admin, deal.id, slip)));
    const codes = answers.map((answer) => (answer.ok ? answer.state : answer.code)).sort();
    expect(codes).toEqual([...Array(5).fill("BANK_REFERENCE_USED"), "proposed"]);
  });

  test("is refused to a party, to people who are not administrators, and without a fresh login", async () => {
    const deal = await createInvoicedTrade();
    const slip = { amount: 110_000, reference: "x1" };
    expect(await confirmManualPayment(deal.buyer, deal.id, slip)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await confirmManualPayment({ ...deal.buyer, isAdmin: true }, deal.id, slip)).toMatchObject({
      code: "OWN_TRADE",
    });
    const stale = { ...deal.admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    expect(await confirmManualPayment(stale, deal.id, slip)).toMatchObject({ code: "REAUTH_REQUIRED" });
  });
});
