import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction, sideDb, type Tx } from "#db/client";
import { drainJobs } from "#db/jobs";
import { settleShownTrade } from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import {
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  createRequestedTrade,
  expectAccepted,
  holdRows,
  type PlantedTrade,
  readAuditActions,
  readMailTemplates,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { listPayouts } from "../backoffice/payouts/payout-view.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { workQueue } from "../backoffice/work-queue/work-queue.ts";
import { requireLockedParty } from "../core/authorization.ts";
import { lockTrade } from "../core/load-trade.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { confirmCompletion } from "../trade/party-commands.ts";
import { roomGuards } from "../trade/room-guards.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { extendAfterGap, runDeadline, sweepAwake } from "./run-deadlines.ts";
import { rowOf } from "./timers.fixture.ts";

/**
 * After a gap in which no instance ran, the first one to come back, by its heartbeat or by a job, extends the deadlines before all else.
 */

useDatabase();
useSandboxProvider();
const minute = 60_000;

beforeEach(() => beatAt(new Date()));

/** Sets the last heartbeat of all instances. */
async function beatAt(at: Date): Promise<void> {
  await ownerDatabase().execute(sql`DELETE FROM base.heartbeat`);
  await db().execute(sql`INSERT INTO base.heartbeat (beat_at) VALUES (${at.toISOString()})`);
}

const dueIn = async (deal: PlantedTrade) => {
  const due = (await tradeNow(deal)).deadlines.payment_window?.dueAt;
  return due === undefined ? null : Math.round((due.getTime() - Date.now()) / minute);
};

test("a job that runs before the heartbeat does not end what the downtime extends; afterwards it does", async () => {
  const deal = await createInvoicedTrade();
  const back = new Date(Date.now() + 130 * minute);
  await beatAt(new Date(back.getTime() - 60 * minute));
  await runAtTime(back, () => Promise.all([drainJobs(back), sweepAwake(back), sweepAwake(back)]));
  expect((await tradeNow(deal)).status).toBe("payment_initiated");
  expect(await dueIn(deal)).toBe(180);
  expect(await readMailTemplates(deal.buyer)).not.toContain("tradeCancelled");
  await runAtTime(back, () => drainJobs(back));
  expect(await dueIn(deal)).toBe(180);
  const over = new Date(Date.now() + 181 * minute);
  await beatAt(over);
  await runAtTime(over, () => drainJobs(over));
  expect(await tradeNow(deal)).toMatchObject({ status: "cancelled", endReason: "expired" });
});

test("a gap of five minutes extends nothing", async () => {
  const deal = await createInvoicedTrade();
  const back = new Date(Date.now() + 121 * minute);
  await beatAt(new Date(back.getTime() - 5 * minute));
  await runAtTime(back, () => drainJobs(back));
  expect((await tradeNow(deal)).status).toBe("cancelled");
});

test("a deadline overdue before the downtime is not extended, and is reported once", async () => {
  const deal = await createPaidTrade();
  const back = new Date(Date.now() + 26 * 60 * minute);
  await beatAt(new Date(back.getTime() - 60 * minute));
  await runAtTime(back, () => Promise.all([sweepAwake(back), sweepAwake(back)]));
  const [row] = await db().execute<{ state: string; extended: string }>(sql`
    SELECT state, extended_ms AS extended FROM escrow.deadlines WHERE trade_id = ${deal.id} AND kind = 'hand_over'`);
  expect(row).toEqual({ state: "overdue", extended: "0" });
  expect((await readAuditActions(deal)).filter((action) => action === "transaction.overdue")).toHaveLength(1);
});

/** A trade's payout or refund at a moment, as the work queue and the list of payouts show it. */
async function toSend(deal: PlantedTrade, at: Date) {
  const [work, desk] = await runAtTime(at, () =>
    Promise.all([workQueue(deal.admin), listPayouts(deal.admin)]),
  );
  if (!work.ok || !desk.ok) throw new Error("refused");
  const task = work.queue.payouts.find(({ transactionId }) => transactionId === deal.id);
  const row = desk.payouts.find(({ transaction }) => transaction.id === deal.id);
  return [task, row].map((one) => ({ dueAt: one?.dueAt, overdue: one?.overdue }));
}

test("due money is extended as much as the deadline its people see, also a refund without a deadline and an overpayment", async () => {
  const [payout, refund, excess] = [
    await createPaidTrade(),
    await createPaidTrade(),
    await createRequestedTrade(),
  ];
  await confirmByBoth(payout);
  await expectAccepted(adminCancel(refund.admin, refund.id));
  await db().execute(sql`
    INSERT INTO payments.payouts (reference, kind, source, amount, fee, due_at, created_at)
    VALUES (${excess.id}, 'refund', 'suspense:1', 5, 0, now() + interval '3 hours', now())`);
  const deals = [payout, refund, excess];
  const before = await Promise.all(
    deals.map(async (deal) => (await toSend(deal, new Date()))[0]?.dueAt ?? ""),
  );
  // The payout was due within three hours; after two of them no instance ran for two hours.
  const back = new Date(Date.now() + 240 * minute);
  await beatAt(new Date(back.getTime() - 120 * minute));
  await runAtTime(back, () => Promise.all([sweepAwake(back), sweepAwake(back)]));
  for (const [n, deal] of deals.entries()) {
    const dueAt = new Date(new Date(before[n] ?? "").getTime() + 120 * minute).toISOString();
    expect(await toSend(deal, back)).toEqual([1, 2].map(() => ({ dueAt, overdue: false })));
  }
  const { state, dueAt } = await rowOf(payout, "payout");
  expect([state, dueAt.toISOString()]).toEqual(["running", (await toSend(payout, back))[0]?.dueAt ?? ""]);
  // What is overdue then is overdue in both lists, and a later gap does not extend it.
  const late = new Date(Date.now() + 301 * minute);
  await beatAt(late);
  await runAtTime(late, () => sweepAwake(late));
  const after = new Date(late.getTime() + 60 * minute);
  const stood = await toSend(payout, late);
  await runAtTime(after, () => sweepAwake(after));
  expect((await rowOf(payout, "payout")).state).toBe("overdue");
  expect(await toSend(payout, after)).toEqual(stood);
  expect(stood.map(({ overdue }) => overdue)).toEqual([true, true]);
});

test("the seller's deadline and a refund account's deadline are extended too, although the second trade has ended", async () => {
  const [received, refunded] = [await createPaidTrade(), await createPaidTrade()];
  await expectAccepted(confirmCompletion(received.buyer, received.id));
  await expectAccepted(adminCancel(refunded.admin, refunded.id));
  const clocks = [
    [received, "seller_finish"],
    [refunded, "refund_account"],
  ] as const;
  const before = await Promise.all(clocks.map(([deal, kind]) => rowOf(deal, kind)));
  const back = new Date(Date.now() + 24 * 60 * minute);
  await beatAt(new Date(back.getTime() - 20 * 60 * minute));
  await runAtTime(back, () => Promise.all([sweepAwake(back), sweepAwake(back)]));
  const by = 20 * 60 * minute;
  for (const [n, [deal, kind]] of clocks.entries()) {
    const { state, dueAt, extendedMs } = await rowOf(deal, kind);
    const expected = (before[n]?.dueAt.getTime() ?? 0) + by;
    expect([kind, state, extendedMs, dueAt.getTime()]).toEqual([kind, "running", by, expected]);
  }
  const seen = await readTrade(refunded.buyer, refunded.id);
  const told = seen.ok ? seen.trade.clocks.map(({ kind, extendedMinutes }) => [kind, extendedMinutes]) : [];
  expect(told).toEqual([["refund_account", 20 * 60]]);
});

test("an extension waits for a refund account being entered, without a deadlock", async () => {
  const deal = await createPaidTrade();
  await expectAccepted(adminCancel(deal.admin, deal.id));
  const release = await holdRows(sql`SELECT FROM payments.payouts WHERE reference = ${deal.id} FOR UPDATE`);
  // It holds the trade's lock, and waits for the refund's.
  const naming = saveRefundDestination(deal.buyer, deal.id, home);
  await until(blocked(1));
  const at = new Date();
  const giving = runInTransaction((tx) => extendAfterGap(60 * minute, at, tx));
  await until(blocked(2));
  await release();
  const [named] = await Promise.all([naming, giving]);
  expect(named).toEqual({ ok: true, changed: true });
  expect((await rowOf(deal, "refund_account")).state).toBe("closed");
});

test("an extension waits for a payout being sent, without a deadlock", async () => {
  const deal = await createPaidTrade();
  await confirmByBoth(deal);
  const account = `escrow:${deal.id}`;
  const release = await holdRows(sql`SELECT FROM payments.balances WHERE account = ${account} FOR UPDATE`);
  // It holds the payout's lock, and waits for the balance's.
  const settling = settleShownTrade(deal.admin, deal.id, { bankReference: `GAP-${deal.id}` });
  await until(blocked(1));
  const at = new Date();
  const giving = runInTransaction((tx) => extendAfterGap(60 * minute, at, tx));
  await until(blocked(2));
  await release();
  const [settled] = await Promise.all([settling, giving]);
  expect(settled).toMatchObject({ ok: true, trade: { status: "completed" } });
  expect((await rowOf(deal, "payout")).state).toBe("closed");
});

test("a payment window extended while its end is running is neither over nor overdue", async () => {
  const deal = await createInvoicedTrade();
  const { id, dueAt } = await rowOf(deal, "payment_window");
  const release = await holdRows(sql`SELECT FROM payments.invoices WHERE reference = ${deal.id} FOR UPDATE`);
  // It has found the window over, and waits for the invoice's lock.
  const ending = runAtTime(dueAt, () => runDeadline(id, dueAt));
  await until(blocked(1));
  await runInTransaction((tx) => extendAfterGap(60 * minute, dueAt, tx));
  await release();
  await ending;
  const moved = { state: "running", dueAt: new Date(dueAt.getTime() + 60 * minute), overdueAt: null };
  expectMatch(await rowOf(deal, "payment_window"), moved);
  expect((await tradeNow(deal)).status).toBe("payment_initiated");
  expect(await readMailTemplates(deal.buyer)).not.toContain("deadlineOverdue");
});

const home = {
  accountName: "Buyer",
  bankName: "Golomt Bank",
  accountNumber: "1105009876",
  ibanNumber: undefined,
};

/** Whether at least `many` transactions wait for a lock. */
const blocked = (many: number) => async () => {
  const [row] = await db().execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return (row?.n ?? 0) >= many;
};

async function until(so: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await so()); tries++) {
    if (tries > 500) throw new Error("it did not come to it");
    await Bun.sleep(10);
  }
}

test("every change of a trade locks its deadlines before its money, so extensions cannot deadlock", async () => {
  const deal = await createPaidTrade();
  const free = sql`SELECT id FROM escrow.deadlines WHERE trade_id = ${deal.id} AND state <> 'closed' FOR UPDATE SKIP LOCKED`;
  expect((await db().execute(free)).length).toBeGreaterThan(0);
  const ways: Array<[string, (tx: Tx) => Promise<unknown>]> = [
    ["an administrator", (tx) => lockTrade(tx, deal.id)],
    ["a party", (tx) => requireLockedParty(tx, deal.buyer, deal.id)],
    ["its room", (tx) => roomGuards.mayDelete(tx, deal.roomId)],
  ];
  for (const [who, lock] of ways) {
    const left = await runInTransaction(async (tx) => {
      await lock(tx);
      return sideDb().execute(free);
    });
    expect([who, left.length]).toEqual([who, 0]);
  }
});
