import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { liveInvoice } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createInvoicedTrade,
  expectAccepted,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { fileReport } from "../reports/file-report.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { withdrawRequest } from "../trade/withdraw-request.ts";
import { verifyPayment } from "./check-payment.ts";
import { markPaid } from "./mark-paid.ts";

useDatabase();
const market = useSandboxProvider();

type Deal = Awaited<ReturnType<typeof createInvoicedTrade>>;
const found = async (deal: Deal) => (await expectAccepted(verifyPayment(deal.buyer, deal.id))).finding;
const held = async (deal: Deal, side: "buyer" | "seller") =>
  (await expectAccepted(readTrade(deal[side], deal.id))).trade.heldForChecking;

describe("the reply to a buyer who asks about their payment", () => {
  test("is nothing yet, the provider is silent, a part, or all of it", async () => {
    const deal = await createInvoicedTrade();
    expect(await found(deal)).toEqual({ kind: "nothing", amount: 0, rest: 0 });
    await market.behave({ operation: "check", fail: 503, nextCalls: "all" });
    expect(await found(deal)).toEqual({ kind: "unanswered", amount: 0, rest: 0 });
    expect((await expectAccepted(markPaid(deal.buyer, deal.id))).finding.kind).toBe("unanswered");
    await market.behave({ reset: true });
    await market.pay(deal, { amount: 70_000 });
    expect(await found(deal)).toEqual({ kind: "part", amount: 70_000, rest: 40_000 });
    const old = (await liveInvoice(db(), deal.id))?.providerId;
    await market.pay(deal, { amount: 40_000 }, old);
    expect(await found(deal)).toEqual({ kind: "confirmed", amount: 0, rest: 0 });
    expect((await expectAccepted(markPaid(deal.buyer, deal.id))).finding.kind).toBe("confirmed");
  });

  test.each([
    ["another currency", { amount: 5, currency: "USD" }],
    ["a fraction", { amount: 109_999.5 }],
  ])("%s: it is being checked, for both, until a person has looked at it", async (_, body) => {
    const deal = await createInvoicedTrade();
    await market.pay(deal, body);
    expect(await held(deal, "buyer")).toBe(false);
    expect(await found(deal)).toEqual({ kind: "held_for_checking", amount: 0, rest: 0 });
    expect((await expectAccepted(markPaid(deal.buyer, deal.id))).finding.kind).toBe("held_for_checking");
    expect([await held(deal, "buyer"), await held(deal, "seller")]).toEqual([true, true]);
    expect((await expectAccepted(readTrade(deal.buyer, deal.id))).trade.tradeChecked).toBe(false);
    await db().execute(sql`
      UPDATE payments.holds SET closed_at = now(), outcome = 'dismissed', closed_by = ${deal.admin.userId}, note = 'sent back'
      WHERE reference = ${deal.id} AND closed_at IS NULL`);
    expect(await held(deal, "buyer")).toBe(false);
    expect((await found(deal)).kind).toBe("nothing");
  });

  test("for a paid trade that only a report holds names the trade's check, not the payment's", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal);
    expect(await found(deal)).toMatchObject({ kind: "confirmed" });
    const { transactionCode: code } = (await expectAccepted(readTrade(deal.buyer, deal.id))).trade;
    const report = { about: "code", code, happened: "fraud", words: "they lie" } as const;
    expect(await fileReport(deal.seller, report)).toMatchObject({ ok: true, changed: true });
    expect(await found(deal)).toEqual({ kind: "trade_checked", amount: 0, rest: 0 });
    expect((await expectAccepted(markPaid(deal.buyer, deal.id))).finding.kind).toBe("trade_checked");
  });

  test("for a payment after the end is that it is refunded and nothing more is to be paid", async () => {
    const deal = await createInvoicedTrade();
    const live = (await liveInvoice(db(), deal.id))?.providerId;
    await expectAccepted(withdrawRequest(deal.seller, deal.id));
    expect(await found(deal)).toEqual({ kind: "ended", amount: 0, rest: 0 });
    await market.pay(deal, {}, live);
    const checked = await expectAccepted(verifyPayment(deal.buyer, deal.id));
    expect(checked.finding).toEqual({ kind: "refunding", amount: 110_000, rest: 0 });
    expect(checked.trade.status).toBe("cancelled");
  });
});
