import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { listInvoices } from "#modules/payments";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  assertSoundLedger,
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  createRequestedTrade,
  expectAccepted,
  moneyOf,
  readMailTemplates,
  readNoticeCodes,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { deadlinesTable } from "../core/schema.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { followHold } from "../holds/follow-hold.ts";
import { resolveTradeHold } from "../holds/resolve-hold.ts";
import { holdsOfTrade } from "../holds/view.ts";
import { verifyPayment } from "../payment/check-payment.ts";
import { expirePayment } from "../payment/expire-payment.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { handOver } from "../trade/party-commands.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { extendDeadlines } from "./deadlines.ts";
import { sweepDeadlines } from "./run-deadlines.ts";

useDatabase();
const market = useSandboxProvider();

const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const hours = (count: number) => minutes(count * 60);
/** Runs what is due by then, as the jobs do. */
const at = (when: Date) => runAtTime(when, () => sweepDeadlines(when));

async function statesOf(deal: { id: number }): Promise<Record<string, string>> {
  const rows = await db()
    .select()
    .from(deadlinesTable)
    .where(eq(deadlinesTable.tradeId, deal.id))
    .orderBy(deadlinesTable.id);
  return Object.fromEntries(rows.map(({ kind, state }) => [kind, state]));
}

/** The tasks about a trade that were mailed to administrators. */
async function tasks(deal: { id: number }): Promise<string[]> {
  const url = `/admin/transactions/${deal.id}`;
  const rows = await db().execute<{ task: string }>(sql`
    SELECT data ->> 'task' AS task FROM mailer.messages
    WHERE template = 'adminTask' AND data ->> 'url' = ${url} ORDER BY id`);
  return rows.map(({ task }) => task);
}

describe("the payment window", () => {
  test("ends an unpaid trade two hours after the first invoice, with a reminder before", async () => {
    const deal = await createInvoicedTrade();
    await at(minutes(80));
    expect((await readMailTemplates(deal.buyer)).slice(1)).toEqual([]);
    await at(minutes(95));
    expect((await readMailTemplates(deal.buyer)).slice(1)).toEqual(["deadlineReminder"]);
    await at(minutes(119));
    expect((await tradeNow(deal)).status).toBe("payment_initiated");
    await at(minutes(121));
    expect(await tradeNow(deal)).toMatchObject({ status: "cancelled", endReason: "expired" });
    await at(minutes(500));
    expect((await readNoticeCodes(deal)).slice(2)).toEqual(["paymentExpired"]);
    expect((await readMailTemplates(deal.buyer)).slice(1)).toEqual(["deadlineReminder", "tradeCancelled"]);
    expect((await listInvoices(db(), deal.id)).map(({ state }) => state)).toEqual(["cancelled"]);
    expect(await statesOf(deal)).toEqual({ payment_window: "closed" });
  });

  test("is a day for a request without an invoice", async () => {
    const deal = await createRequestedTrade();
    await at(hours(23));
    expect((await tradeNow(deal)).status).toBe("initiated");
    await at(hours(25));
    expect((await tradeNow(deal)).status).toBe("cancelled");
  });

  test("refunds a part payment at its end, and confirms a full payment", async () => {
    const short = await createInvoicedTrade();
    const whole = await createInvoicedTrade();
    await market.pay(short, { amount: 30_000 });
    await market.pay(whole);
    await at(minutes(121));
    expect(await tradeNow(short)).toMatchObject({ status: "cancelled", endReason: "expired" });
    expect(await moneyOf(short)).toEqual({
      held: 30_000,
      suspense: 0,
      records: ["refund 30000+0 escrow due"],
    });
    expect((await tradeNow(whole)).status).toBe("payment_confirmed");
    await assertSoundLedger();
  });

  test("does not end while the provider is silent, because the trade may be paid", async () => {
    const deal = await createInvoicedTrade();
    await market.behave({ operation: "check", fail: 503, nextCalls: "all" });
    await at(minutes(121));
    expect((await tradeNow(deal)).status).toBe("payment_initiated");
    expect(await statesOf(deal)).toEqual({ payment_window: "overdue" });
    expect(
      await runAtTime(minutes(122), () => issueInvoice(deal.buyer, deal.id, { fresh: true })),
    ).toMatchObject({
      code: "WINDOW_OVER",
    });
    await market.behave({ reset: true });
    await at(minutes(122));
    expect((await tradeNow(deal)).status).toBe("payment_initiated");
    await at(minutes(124));
    expect((await tradeNow(deal)).status).toBe("cancelled");
    for (const party of [deal.buyer, deal.seller]) {
      expect((await readMailTemplates(party)).slice(-2)).toEqual(["deadlineOverdue", "tradeCancelled"]);
    }
  });

  test("that could not be ended because of a fault is overdue, both are notified, and the end is retried", async () => {
    const deal = await createInvoicedTrade();
    await db().execute(sql`UPDATE escrow.deadlines SET next_at = NULL WHERE trade_id <> ${deal.id}`);
    await ownerDatabase().execute(sql`CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.status = 'cancelled' THEN RAISE EXCEPTION 'not now'; END IF; RETURN NEW; END $$`);
    await ownerDatabase().execute(
      sql`CREATE TRIGGER fail BEFORE UPDATE ON escrow.trades FOR EACH ROW EXECUTE FUNCTION public.fail()`,
    );
    try {
      await at(minutes(121));
      expect(await statesOf(deal)).toEqual({ payment_window: "overdue" });
      for (const party of [deal.buyer, deal.seller]) {
        expect((await readMailTemplates(party)).at(-1)).toBe("deadlineOverdue");
      }
    } finally {
      await ownerDatabase().execute(sql`DROP FUNCTION public.fail() CASCADE`);
    }
    await at(minutes(124));
    expect(await tradeNow(deal)).toMatchObject({ status: "cancelled", endReason: "expired" });
  });

  test("does not end while a payment waits for a person, who is notified once and then releases it", async () => {
    const deal = await createInvoicedTrade();
    const { paymentIds } = await market.pay(deal, { currency: "USD" });
    await market.pay(deal, { amount: 1_000.5 });
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    await expectAccepted(verifyPayment(deal.buyer, deal.id));
    await followHold(deal.id);
    expect(await tasks(deal)).toEqual(["hold", "hold"]);
    const waiting = async () => {
      const seen = await holdsOfTrade(deal.admin, deal.id);
      return seen.ok ? seen.holds.filter(({ closed }) => closed === null).reverse() : [];
    };
    const [dollars, fraction] = await waiting();
    expect(dollars).toMatchObject({
      ...{ reason: "WRONG_CURRENCY", facts: { providerPaymentId: paymentIds[0], currency: "USD" } },
    });
    expect(fraction).toMatchObject({ reason: "FRACTIONAL_AMOUNT", facts: { amount: "1000.50" } });
    await at(minutes(121));
    await at(minutes(124));
    expect((await tradeNow(deal)).status).toBe("payment_pending");
    expect(await statesOf(deal)).toEqual({ payment_window: "overdue" });
    await followHold(deal.id);
    expect(await tasks(deal)).toEqual(["hold", "hold"]);
    const note = { outcome: "dismissed", note: "sent back by the bank" } as const;
    await expectAccepted(resolveTradeHold(deal.admin, dollars?.id ?? 0, note));
    await at(minutes(127));
    expect((await tradeNow(deal)).status).toBe("payment_pending");
    for (const party of [deal.buyer, deal.seller]) {
      expect(
        (await readMailTemplates(party)).filter((template) => template === "deadlineOverdue"),
      ).toHaveLength(1);
    }
    await expectAccepted(resolveTradeHold(deal.admin, fraction?.id ?? 0, note));
    await expectAccepted(resolveTradeHold(deal.admin, fraction?.id ?? 0, note));
    expect(await waiting()).toEqual([]);
    await at(minutes(130));
    expect(await tradeNow(deal)).toMatchObject({ status: "cancelled", endReason: "expired" });
  });

  test("is extended by Midman's downtime, unless it had passed before", async () => {
    const deal = await createInvoicedTrade();
    const due = async () => (await tradeNow(deal)).deadlines.payment_window?.dueAt.getTime() ?? 0;
    const before = await due();
    const now = minutes(150);
    await runInTransaction((tx) => extendDeadlines(tx, 10 * 60_000, now));
    expect(await due()).toBe(before);
    await runInTransaction((tx) => extendDeadlines(tx, 60 * 60_000, now));
    expect((await due()) - before).toBe(60 * 60_000);
    const seen = await readTrade(deal.buyer, deal.id);
    const told = seen.ok ? seen.trade.clocks.map(({ kind, extendedMinutes }) => [kind, extendedMinutes]) : [];
    expect(told).toEqual([["payment_window", 60]]);
    await at(now);
    expect((await tradeNow(deal)).status).toBe("payment_initiated");
  });
});

describe("the other deadlines", () => {
  test("send reminders, are marked overdue and wait for people: money never moves by silence", async () => {
    const deal = await createPaidTrade();
    await at(hours(21));
    expect((await readMailTemplates(deal.seller)).slice(1)).toEqual(["deadlineReminder"]);
    await at(hours(25));
    expect(await statesOf(deal)).toEqual({ payment_window: "closed", hand_over: "overdue" });
    await expectAccepted(handOver(deal.seller, deal.id));
    expect(await statesOf(deal)).toMatchObject({
      hand_over: "closed",
      buyer_finish: "running",
      admin_review: "running",
    });
    await at(hours(7));
    await at(hours(13));
    expect((await readMailTemplates(deal.buyer)).slice(-2)).toEqual(["deadlineReminder", "deadlineOverdue"]);
    await at(hours(25));
    expect(await statesOf(deal)).toMatchObject({ buyer_finish: "overdue", admin_review: "overdue" });
    expect(await tradeNow(deal)).toMatchObject({ status: "payment_confirmed", held: 110_000 });
  });

  test("for the payout notifies the seller when it passes", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    expect(await statesOf(deal)).toMatchObject({ hand_over: "closed", payout: "running" });
    await at(minutes(190));
    expect(await statesOf(deal)).toMatchObject({ payout: "overdue" });
    expect((await readMailTemplates(deal.seller)).at(-1)).toBe("deadlineOverdue");
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
  });

  test("act once, however many sweeps run at the same time", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal, { amount: 30_000 });
    const when = minutes(121);
    await runAtTime(when, () => Promise.all([1, 2, 3, 4, 5].map(() => sweepDeadlines(when))));
    expect((await readNoticeCodes(deal)).filter((code) => code === "paymentExpired")).toHaveLength(1);
    expect(await moneyOf(deal)).toMatchObject({ records: ["refund 30000+0 escrow due"] });
    expect(await verifyPayment(deal.buyer, deal.id)).toMatchObject({ ok: true, changed: false });
  });
});

describe("downtime", () => {
  const hour = 3_600_000;
  const entries = () =>
    db().execute<{ at: string; by: string | null; data: Record<string, number> }>(sql`
      SELECT at, user_id AS by, data FROM audit.entries WHERE action = 'deadlines.extended' ORDER BY id`);
  const extend = (gap: number, when: Date) => runInTransaction((tx) => extendDeadlines(tx, gap, when));
  const rowOf = async (deal: { id: number }, kind: string) => {
    const rows = await db().select().from(deadlinesTable).where(eq(deadlinesTable.tradeId, deal.id));
    return rows.find((row) => row.kind === kind);
  };

  test("extends running deadlines only, both their moments, and the log records how much", async () => {
    const [running, halted, over] = [
      await createPaidTrade(),
      await createPaidTrade(),
      await createPaidTrade(),
    ];
    await expectAccepted(openDispute(halted.buyer, halted.id, { reason: "too slow" }));
    await db().execute(sql`UPDATE escrow.deadlines SET next_at = NULL, state = 'overdue', overdue_at = now()
      WHERE trade_id = ${over.id} AND state = 'running'`);
    const [count] = await db().execute<{ n: number }>(sql`
      SELECT count(*)::int AS n FROM escrow.deadlines
      WHERE state = 'running' AND next_at IS NOT NULL AND due_at > now() - interval '90 minutes'`);
    const [owed] = await db().execute<{ n: number }>(sql`
      SELECT count(*)::int AS n FROM payments.payouts
      WHERE state IN ('due', 'approved', 'unknown') AND due_at > now() - interval '90 minutes'`);
    const before = await Promise.all([running, halted, over].map((deal) => rowOf(deal, "hand_over")));
    const logged = (await entries()).length;
    const when = new Date();
    await extend(1.5 * hour + 400, when);
    const [moved, ...still] = await Promise.all(
      [running, halted, over].map((deal) => rowOf(deal, "hand_over")),
    );
    const put = (time: Date | null | undefined) => new Date((time?.getTime() ?? 0) + 1.5 * hour + 400);
    const { dueAt, nextAt } = before[0] ?? {};
    expect(moved).toEqual({
      ...before[0],
      dueAt: put(dueAt),
      nextAt: put(nextAt),
      extendedMs: 1.5 * hour + 400,
    } as typeof moved);
    expect(still).toEqual(before.slice(1));
    const [entry, ...more] = (await entries()).slice(logged);
    expect([entry?.by, new Date(entry?.at ?? ""), entry?.data, more]).toEqual([
      null,
      when,
      { gapSeconds: 5_400, deadlines: count?.n ?? 0, payouts: owed?.n ?? 0 },
      [],
    ]);
    await extend(hour, when);
    expect((await rowOf(running, "hand_over"))?.extendedMs).toBe(2.5 * hour + 400);
  });

  test("is logged when it extends deadlines or due money", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    await db().execute(sql`UPDATE escrow.deadlines SET next_at = NULL WHERE trade_id <> ${deal.id}`);
    await db().execute(
      sql`UPDATE payments.payouts SET due_at = due_at - interval '1 year' WHERE reference <> ${deal.id}`,
    );
    const logged = (await entries()).length;
    await extend(hour, new Date());
    expect((await entries()).slice(logged).map(({ data }) => data)).toEqual([
      { gapSeconds: 3_600, deadlines: 1, payouts: 1 },
    ]);
  });

  test("in which nothing ran is not logged; a deadline that passed just before is not extended", async () => {
    const deal = await createPaidTrade();
    const due = (await rowOf(deal, "hand_over"))?.dueAt ?? new Date();
    const logged = (await entries()).length;
    await extend(hour, new Date(due.getTime() + 1_000 * 24 * hour));
    expect(await entries()).toHaveLength(logged);
    await extend(hour, new Date(due.getTime() + hour));
    expect((await rowOf(deal, "hand_over"))?.dueAt).toEqual(due);
    await extend(hour, new Date(due.getTime() + hour - 1));
    expect((await rowOf(deal, "hand_over"))?.dueAt).toEqual(new Date(due.getTime() + hour));
  });
});

test("a deadline that fails blocks no other, and is retried by the next sweep", async () => {
  const [failing, well] = [await createPaidTrade(), await createPaidTrade()];
  await db().execute(
    sql`UPDATE escrow.deadlines SET next_at = NULL WHERE trade_id NOT IN (${failing.id}, ${well.id})`,
  );
  await db().execute(sql`UPDATE escrow.deadlines SET due_at = due_at - interval '1 minute', next_at = next_at - interval '1 minute'
    WHERE trade_id = ${failing.id}`);
  await ownerDatabase().execute(sql`CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF NEW.trade_id = ${sql.raw(String(failing.id))} THEN RAISE EXCEPTION 'not now'; END IF; RETURN NEW; END $$`);
  await ownerDatabase().execute(
    sql`CREATE TRIGGER fail BEFORE UPDATE ON escrow.deadlines FOR EACH ROW EXECUTE FUNCTION public.fail()`,
  );
  const states = async () => [(await statesOf(failing)).hand_over, (await statesOf(well)).hand_over];
  try {
    expect(await at(hours(25))).toBe(2);
    expect(await states()).toEqual(["running", "overdue"]);
  } finally {
    await ownerDatabase().execute(sql`DROP FUNCTION public.fail() CASCADE`);
  }
  expect(await at(hours(25))).toBe(1);
  expect(await states()).toEqual(["overdue", "overdue"]);
  expect(await at(hours(25))).toBe(0);
});

test("the end of a payment window without its trade does nothing", async () => {
  expect(await expirePayment(999_999_999, new Date())).toBe(true);
  const deal = await createPaidTrade();
  expect(await expirePayment(deal.id, hours(3))).toBe(true);
  expect((await tradeNow(deal)).status).toBe("payment_confirmed");
  const early = await createInvoicedTrade();
  expect(await expirePayment(early.id, new Date())).toBe(false);
  expect((await tradeNow(early)).status).not.toBe("cancelled");
});
