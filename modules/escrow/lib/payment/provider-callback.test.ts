import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { liveInvoice, openHoldReasons, type ProviderReport } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createInvoicedTrade,
  expectAccepted,
  moneyOf,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { lockTrade } from "../core/load-trade.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { followHold } from "../holds/follow-hold.ts";
import { withdrawRequest } from "../trade/withdraw-request.ts";
import type { LaterCheck } from "./check-later.ts";
import { bookAnswer, checkPayment, verifyPayment } from "./check-payment.ts";
import { checkNow, onProviderCallback } from "./provider-callback.ts";

useDatabase();
const market = useSandboxProvider();

describe("the provider is asked", () => {
  const start = new Date("2030-04-01T00:00:00Z");
  const seconds = (count: number) => new Date(start.getTime() + count * 1_000);

  /** The invoice and the secret in the callback URL that the provider calls when an invoice is paid. */
  async function callbackOf(deal: { id: number }): Promise<[string, string]> {
    const live = await liveInvoice(db(), deal.id);
    const [row] = await db().execute<{ url: string }>(
      sql`SELECT callback_url AS url FROM sandbox.invoices WHERE id = ${live?.providerId ?? ""}`,
    );
    const [invoiceId = "", secret = ""] = new URL(row?.url ?? "").pathname.split("/").slice(-2);
    return [invoiceId, secret];
  }

  /** The queued checks of a trade: key, data and start time (null: at once). Removes them from the queue. */
  async function waiting(deal: { id: number }) {
    const rows = await db().execute<{ key: string; data: object; at: string }>(sql`
      DELETE FROM pgboss.job WHERE name = 'escrow.check' AND state = 'created'
        AND data -> 'data' ->> 'tradeId' = ${String(deal.id)}
      RETURNING singleton_key AS key, data -> 'data' AS data, start_after AS at`);
    const byKey = [...rows].sort((a, b) => b.key.localeCompare(a.key));
    return byKey.map(({ key, data, at }) => {
      const when = new Date(at);
      return { key, data, at: when < start ? null : when };
    });
  }

  test("immediately by a job after its callback, and about the same payment once a minute", async () => {
    const deal = await runAtTime(start, () => createInvoicedTrade());
    const [invoiceId, secret] = await callbackOf(deal);
    const call = (at: Date, id?: string | null) =>
      runAtTime(at, () => onProviderCallback(invoiceId, secret, id));
    const data = { tradeId: deal.id, force: true, attempt: 0, quiet: false };
    const now = (announced?: string) => ({
      key: `now:${deal.id}${announced === undefined ? "" : `:${announced}`}`,
      data: { ...data, ...(announced !== undefined && { announced }) },
      at: null,
    });
    const put = (at: Date, announced?: string) => {
      const { key, data } = now(announced);
      return { key: key.replace("now", "later"), data: { ...data, force: false }, at };
    };
    expect(await onProviderCallback(invoiceId, "forged")).toEqual({ ok: false, code: "INVOICE_NOT_FOUND" });
    expect(await waiting(deal)).toEqual([]);
    expect(await call(start, "P-1")).toEqual({ ok: true });
    expect(await call(start, "P-1")).toEqual({ ok: true });
    expect(await waiting(deal)).toEqual([now("P-1"), put(seconds(60), "P-1")]);
    await call(seconds(20), "P-1");
    expect(await waiting(deal)).toEqual([put(seconds(60), "P-1")]);
    await call(seconds(20), "P-2");
    expect(await waiting(deal)).toEqual([now("P-2")]);
    await call(seconds(60), "P-1");
    expect(await waiting(deal)).toEqual([now("P-1")]);
    // A callback whose payment id cannot be one counts as naming none.
    await call(seconds(70));
    expect(await waiting(deal)).toEqual([now()]);
    for (const none of [null, undefined, "", "two words", "x".repeat(65), "\nP", "P\n"])
      await call(seconds(71), none);
    expect(await waiting(deal)).toEqual([put(seconds(130))]);
    await call(seconds(71), "x".repeat(64));
    expect(await waiting(deal)).toEqual([now("x".repeat(64))]);
  });

  test("again at growing intervals while it does not answer, then every hour for two days, then no more", async () => {
    const deal = await runAtTime(start, () => createInvoicedTrade());
    const check = (attempt: number, how: Partial<LaterCheck> = {}) =>
      runAtTime(seconds(90), () => checkNow({ tradeId: deal.id, force: true, attempt, ...how }));
    await market.behave({ operation: "check", fail: 503, nextCalls: "all" });
    for (const [attempt, minutes] of [1, 2, 5, 10, 30, 60, 60].entries()) {
      await check(attempt);
      const data = { tradeId: deal.id, force: true, attempt: attempt + 1, quiet: false };
      expect(await waiting(deal)).toEqual([{ key: `now:${deal.id}`, data, at: seconds(90 + 60 * minutes) }]);
    }
    await check(53);
    expect(await waiting(deal)).toEqual([]);
    // What the one-minute limit postpones is checked after the minute, and does not count as an attempt.
    await check(0, { force: false });
    const withheld = { tradeId: deal.id, force: false, attempt: 0, quiet: false };
    expect(await waiting(deal)).toEqual([{ key: `later:${deal.id}`, data: withheld, at: seconds(150) }]);
    // A check that nobody asked for stays quiet, also when it is repeated.
    await check(0, { quiet: true });
    const again = { tradeId: deal.id, force: true, attempt: 1, quiet: true };
    expect(await waiting(deal)).toEqual([{ key: `quiet-now:${deal.id}`, data: again, at: seconds(150) }]);
    await market.behave({ reset: true });
    await check(0);
    expect(await waiting(deal)).toEqual([]);
    await checkNow({ tradeId: 999_999_999, force: true, attempt: 0 });
  });

  test("again while it does not list the payment that its callback named, and the trade is on hold until it does", async () => {
    const deal = await runAtTime(start, () => createInvoicedTrade());
    const { paymentIds } = await market.pay(deal, { callback: false });
    const announced = paymentIds[0] ?? "";
    await db().execute(sql`UPDATE sandbox.payments SET id = 'elsewhere' WHERE id = ${announced}`);
    await db().execute(sql`UPDATE sandbox.payments SET status = 'FAILED' WHERE id = 'elsewhere'`);
    const check = (attempt: number, minute: number) =>
      runAtTime(seconds(60 * minute), () => checkNow({ tradeId: deal.id, force: true, attempt, announced }));
    await check(0, 1);
    const data = { tradeId: deal.id, force: true, attempt: 1, quiet: false, announced };
    expect(await waiting(deal)).toEqual([{ key: `now:${deal.id}:${announced}`, data, at: seconds(120) }]);
    expect(await openHoldReasons(db(), deal.id)).toEqual(["PAYMENT_ANNOUNCED"]);
    expect(await runAtTime(seconds(70), () => withdrawRequest(deal.seller, deal.id))).toMatchObject({
      code: "TRADE_ON_HOLD",
    });
    await waiting(deal);
    await db().execute(
      sql`UPDATE sandbox.payments SET id = ${announced.replace(/^0+/, "")}, status = 'PAID' WHERE id = 'elsewhere'`,
    );
    await check(1, 2);
    expect(await waiting(deal)).toEqual([]);
    expect(await openHoldReasons(db(), deal.id)).toEqual([]);
    expect((await tradeNow(deal)).status).toBe("payment_confirmed");
  });

  test("by the buyer six times a minute, and by the reconciler as the minute allows", async () => {
    const deal = await runAtTime(start, () => createInvoicedTrade());
    const asked: number[] = [];
    for (let press = 0; press < 7; press++) {
      const { answer } = await runAtTime(start, () => expectAccepted(verifyPayment(deal.buyer, deal.id)));
      asked.push(answer.asked);
    }
    expect(asked).toEqual([1, 1, 1, 1, 1, 1, 0]);
    const causes = ["callback", "clock", "renewal", "buyer", "reconciler"] as const;
    const reached = await runAtTime(seconds(1), async () => {
      const found: Array<[string, number]> = [];
      for (const cause of causes)
        found.push([cause, (await expectAccepted(checkPayment(deal.id, cause))).answer.asked]);
      return found;
    });
    expect(reached).toEqual(causes.map((cause) => [cause, cause === "reconciler" ? 0 : 1]));
    expect(await checkPayment(999_999_999, "callback")).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
  });

  test("and a contradicting response holds the trade, and is reported to administrators once", async () => {
    const deal = await runAtTime(start, () => createInvoicedTrade());
    const id = `P-${crypto.randomUUID()}`;
    const row = { providerPaymentId: id, invoiceId: crypto.randomUUID(), amount: 30_000, paidAt: start };
    const heard = (rows: ProviderReport["rows"]) =>
      runInTransaction(async (tx) => {
        const trade = await lockTrade(tx, deal.id);
        if (trade === undefined) throw new Error("it is gone");
        const answer = {
          complete: false,
          failed: false,
          rows,
          problems: [],
          asked: 1,
          listed: [],
          asOf: start,
          retryAt: null,
        };
        return expectAccepted(bookAnswer(tx, trade, answer, "provider", { at: start, by: { userId: null } }));
      });
    await heard([row]);
    for (let again = 0; again < 2; again++) await heard([{ ...row, amount: 40_000 }]);
    for (let again = 0; again < 2; again++) await followHold(deal.id);
    const told = await db().execute<{ data: { detail: string; task: string } }>(sql`
      SELECT data FROM mailer.messages
      WHERE template = 'adminTask' AND data ->> 'url' = ${`/admin/transactions/${deal.id}`} ORDER BY id`);
    expect(told.map(({ data }) => [data.task, data.detail])).toEqual([["hold", `PAYMENT_DIFFERS ${id}`]]);
    expect(await moneyOf(deal)).toEqual({ held: 30_000, suspense: 0, records: [] });
  });
});
