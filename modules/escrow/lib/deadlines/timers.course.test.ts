import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import { payoutsOf } from "#modules/payments";
import { ruleDispute } from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { usePushService } from "../../../../tests/support/services/use-push-service.ts";
import {
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  createRequestedTrade,
  expectAccepted,
  type PlantedTrade,
  readAuditActions,
  runAtTime,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { confirmInDispute, withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import { createOpenedTrade } from "../../../../tests/support/trades/vault-trades.ts";
import { adminCancel, adminPaySeller } from "../backoffice/transactions/administrator-commands.ts";
import { workQueue } from "../backoffice/work-queue/work-queue.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { verifyPayment } from "../payment/check-payment.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { amendTrade } from "../trade/amend-trade.ts";
import { confirmCompletion, handOver, requestCancellation } from "../trade/party-commands.ts";
import { extendDeadlines } from "./deadlines.ts";
import { sweepDeadlines } from "./run-deadlines.ts";
import { alone, minute, notificationsAbout, overdueWork, rowOf, withDevices } from "./timers.fixture.ts";

/** How deadlines are paused, closed and restarted; and the two deadlines that have no row of their own. */

useDatabase();
const market = useSandboxProvider();
const service = usePushService();

const hours = (count: number) => new Date(Date.now() + count * 60 * minute);
/** The mails that all deadlines of a trade send at a moment. */
async function swept(deal: PlantedTrade, at: Date): Promise<string[]> {
  const before = (await notificationsAbout(deal)).mails.length;
  await runAtTime(at, () => Promise.all([sweepDeadlines(at), sweepDeadlines(at)]));
  return (await notificationsAbout(deal)).mails.slice(before).sort();
}

describe("a deadline", () => {
  test("is paused while the trade is disputed, and continues with the remaining time when the dispute is withdrawn", async () => {
    const deal = await createPaidTrade();
    const { dueAt } = await rowOf(deal, "hand_over");
    await runAtTime(hours(10), () =>
      expectAccepted(openDispute(deal.buyer, deal.id, { reason: "too slow" })),
    );
    expect(await rowOf(deal, "hand_over")).toMatchObject({ state: "paused", nextAt: null });
    await alone(deal, "hand_over");
    expect(await swept(deal, hours(25))).toEqual([]);
    expect(await overdueWork(deal, hours(25))).toEqual([]);
    await runAtTime(hours(34), () => expectAccepted(withdrawDispute(deal.buyer, deal.id)));
    const moved = await rowOf(deal, "hand_over");
    expect(moved).toMatchObject({ state: "running", pausedAt: null });
    expect(Math.abs(moved.dueAt.getTime() - dueAt.getTime() - 24 * 60 * minute)).toBeLessThan(minute);
    expect(await swept(deal, hours(43))).toEqual([]);
    expect(await swept(deal, hours(45))).toEqual(["seller: deadlineReminder handOver"]);
    expect(await swept(deal, hours(47))).toEqual([]);
    expect(await swept(deal, hours(49))).toContain("desk: overdue");
    expect(await overdueWork(deal, hours(49))).toEqual(["overdue"]);
  });

  test("that passed before the dispute is still overdue when it is withdrawn, and is not reported again", async () => {
    const deal = await createPaidTrade();
    await alone(deal, "hand_over");
    expect(await swept(deal, hours(25))).toContain("desk: overdue");
    const late = await rowOf(deal, "hand_over");
    await runAtTime(hours(26), () =>
      expectAccepted(openDispute(deal.buyer, deal.id, { reason: "nothing came" })),
    );
    expectMatch(await rowOf(deal, "hand_over"), { state: "paused", overdueAt: late.overdueAt });
    await runAtTime(hours(30), () => expectAccepted(withdrawDispute(deal.buyer, deal.id)));
    const again = { state: "overdue", overdueAt: late.overdueAt, nextAt: null, pausedAt: null };
    expectMatch(await rowOf(deal, "hand_over"), again);
    expect(await overdueWork(deal, hours(31))).toEqual(["overdue"]);
    expect(await swept(deal, hours(31))).toEqual([]);
    expect((await readAuditActions(deal)).filter((action) => action === "transaction.overdue")).toHaveLength(
      1,
    );
  });

  test("is closed by the awaited step, reports nothing afterwards and leaves the work queue", async () => {
    const deal = await createPaidTrade();
    await swept(deal, hours(25));
    expect(await overdueWork(deal, hours(25))).toEqual(["overdue"]);
    await runAtTime(hours(26), () => expectAccepted(handOver(deal.seller, deal.id)));
    expect((await rowOf(deal, "hand_over")).state).toBe("closed");
    expect(await overdueWork(deal, hours(26))).toEqual([]);
    await runAtTime(hours(27), () => confirmByBoth(deal));
    for (const kind of ["buyer_finish", "admin_review"] as const) {
      expect(await rowOf(deal, kind)).toMatchObject({ state: "closed", nextAt: null });
    }
    await alone(deal, "hand_over");
    expect(await swept(deal, hours(100))).toEqual([]);
    await alone(deal, "admin_review");
    expect(await swept(deal, hours(101))).toEqual([]);
  });

  test("that a step does not affect keeps its extension, and sends no second reminder", async () => {
    const deal = await createPaidTrade();
    await alone(deal, "hand_over");
    await runInTransaction((tx) => extendDeadlines(tx, 60 * minute, new Date()));
    expect(await swept(deal, hours(21.5))).toEqual(["seller: deadlineReminder handOver"]);
    const reminded = await rowOf(deal, "hand_over");
    expect(reminded).toMatchObject({ state: "running", extendedMs: 60 * minute });
    await runAtTime(hours(22), () => expectAccepted(requestCancellation(deal.buyer, deal.id)));
    expect(await rowOf(deal, "hand_over")).toEqual(reminded);
    expect(await swept(deal, hours(23))).toEqual([]);
  });

  test("that restarts sends reminders again: the payment window after an amendment", async () => {
    const deal = await createInvoicedTrade();
    expect(await swept(deal, hours(1.6))).toEqual(["buyer: deadlineReminder pay"]);
    await runAtTime(hours(1.7), () => expectAccepted(amendTrade(deal.seller, deal.id, { amount: 90_000 })));
    await runAtTime(hours(1.8), () => expectAccepted(issueInvoice(deal.buyer, deal.id)));
    expect(await swept(deal, hours(3.2))).toEqual([]);
    expect(await swept(deal, hours(3.4))).toEqual(["buyer: deadlineReminder pay"]);
    expect(await swept(deal, hours(3.5))).toEqual([]);
  });
});

describe("the seller's deadline", () => {
  const received = async () => {
    const deal = await createPaidTrade();
    await saveSellerAccount(deal);
    await expectAccepted(confirmCompletion(deal.buyer, deal.id));
    return deal;
  };

  test("starts when the buyer confirms, pauses in a dispute, and continues when that is withdrawn", async () => {
    const deal = await received();
    const { dueAt } = await rowOf(deal, "seller_finish");
    await runAtTime(hours(5), () =>
      expectAccepted(openDispute(deal.buyer, deal.id, { reason: "it was taken back" })),
    );
    expect(await rowOf(deal, "seller_finish")).toMatchObject({ state: "paused", nextAt: null });
    await alone(deal, "seller_finish");
    expect(await swept(deal, hours(13))).toEqual([]);
    await runAtTime(hours(15), () => expectAccepted(withdrawDispute(deal.buyer, deal.id)));
    const moved = await rowOf(deal, "seller_finish");
    expect(Math.abs(moved.dueAt.getTime() - dueAt.getTime() - 10 * 60 * minute)).toBeLessThan(minute);
    expect(await swept(deal, hours(17))).toEqual(["seller: deadlineReminder sellerConfirm"]);
    expect(await swept(deal, hours(21))).toEqual([]);
    expect(await swept(deal, hours(23))).toEqual(["desk: overdue", "seller: deadlineOverdue sellerConfirm"]);
    expect(await overdueWork(deal, hours(23))).toEqual(["overdue"]);
  });

  test("is closed when the seller confirms, however late: until then nothing is due to anybody", async () => {
    const deal = await received();
    await swept(deal, hours(13));
    expect(await payoutsOf(db(), deal.id)).toEqual([]);
    await runAtTime(hours(14), () => expectAccepted(confirmCompletion(deal.seller, deal.id)));
    expect(await rowOf(deal, "seller_finish")).toMatchObject({ state: "closed", nextAt: null });
    expect(await overdueWork(deal, hours(14))).toEqual([]);
  });

  test("is closed by any other settlement or end of the trade", async () => {
    const deals = [await received(), await received(), await received()] as const;
    await expectAccepted(adminPaySeller(deals[0].admin, deals[0].id, { sum: 100_000 }));
    await expectAccepted(adminCancel(deals[1].admin, deals[1].id));
    await expectAccepted(openDispute(deals[2].seller, deals[2].id, { reason: "it was never used" }));
    await expectAccepted(confirmInDispute(deals[2].buyer, deals[2].id));
    for (const deal of deals) expect((await rowOf(deal, "seller_finish")).state).toBe("closed");
  });
});

describe("the deadline of a refund account", () => {
  const home = { accountName: "Buyer", bankName: "Golomt Bank", accountNumber: "1105009876" };
  const named = async ({ buyer, id }: PlantedTrade) => {
    const saved = await saveRefundDestination(buyer, id, { ...home, ibanNumber: undefined });
    expect(saved).toEqual({ ok: true, changed: true });
  };
  const split = { ruling: "split", refundAmount: 40_000, sum: 40_000, reason: "half of it worked" } as const;

  test("ends when the buyer enters it, and does not start if it is known", async () => {
    const deal = await createPaidTrade();
    await expectAccepted(adminCancel(deal.admin, deal.id));
    await swept(deal, hours(25));
    expect(await overdueWork(deal, hours(25))).toEqual(["overdue", "payouts"]);
    await runAtTime(hours(26), () => named(deal));
    expect(await rowOf(deal, "refund_account")).toMatchObject({ state: "closed", nextAt: null });
    expect(await overdueWork(deal, hours(26))).toEqual(["payouts"]);
    expect(await swept(deal, hours(50))).toEqual([]);
    const more = await withExcess();
    await named(more);
    await expectAccepted(adminCancel(more.admin, more.id));
    expect((await rowOf(more, "refund_account")).state).toBe("closed");
  });

  test("of a split ends with the dispute that voids it, and restarts when that is withdrawn", async () => {
    const deal = await createPaidTrade();
    await saveSellerAccount(deal);
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "half of it is missing" }));
    await expectAccepted(ruleDispute(deal.admin, deal.id, split));
    const first = await rowOf(deal, "refund_account");
    expect(first.state).toBe("running");
    await runAtTime(hours(2), () =>
      expectAccepted(openDispute(deal.seller, deal.id, { reason: "all of it was there" })),
    );
    expect(await rowOf(deal, "refund_account")).toMatchObject({ id: first.id, state: "closed" });
    await runAtTime(hours(3), () => expectAccepted(withdrawDispute(deal.seller, deal.id)));
    const second = await rowOf(deal, "refund_account");
    expect(second).toMatchObject({ state: "running", reminded: 0 });
    expect(second.dueAt.getTime() - first.dueAt.getTime()).toBeGreaterThan(2.9 * 60 * minute);
  });

  test("of an overpayment runs independently of the trade, its disputes and its end", async () => {
    const deal = await withExcess();
    const first = await rowOf(deal, "refund_account");
    expect(first.state).toBe("running");
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "too slow" }));
    expect(await rowOf(deal, "refund_account")).toEqual(first);
    // The buyer has made a statement in the dispute, but is still reminded of the account.
    await alone(deal, "refund_account");
    expect(await swept(deal, hours(18.5))).toEqual(["buyer: deadlineReminder refundAccount"]);
    const reminded = await rowOf(deal, "refund_account");
    await expectAccepted(
      ruleDispute(deal.admin, deal.id, { ruling: "refund", sum: 110_000, reason: "nothing came" }),
    );
    expect(await rowOf(deal, "refund_account")).toEqual(reminded);
    const nothing = await createRequestedTrade();
    await expectAccepted(adminCancel(nothing.admin, nothing.id));
    const kinds = await db().execute<{ kind: string }>(
      sql`SELECT kind FROM escrow.deadlines WHERE trade_id = ${nothing.id}`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(["payment_window"]);
  });
});

/** A paid trade that received 5,000 more than it owed. */
async function withExcess(): Promise<PlantedTrade> {
  const deal = await createInvoicedTrade();
  await market.pay(deal, { amount: 115_000 });
  await expectAccepted(verifyPayment(deal.buyer, deal.id));
  return deal;
}

test("overdue deadlines are in the work queue in the order in which they passed", async () => {
  const [first, second, third] = [await createPaidTrade(), await createPaidTrade(), await createPaidTrade()];
  const deals = [first, second, third];
  for (const [n, deal] of deals.entries()) {
    await db().execute(sql`
      UPDATE escrow.deadlines SET due_at = due_at - ${[2, 3, 1][n] ?? 0}::int * interval '1 hour', next_at = due_at
      WHERE trade_id = ${deal.id} AND kind = 'hand_over'`);
  }
  const at = hours(30);
  await runAtTime(at, () => sweepDeadlines(at));
  const found = await runAtTime(at, () => workQueue(first.admin));
  const order = (found.ok ? found.queue.overdue : []).map(({ transactionId }) => transactionId);
  const ours = deals.map(({ id }) => id);
  expect(order.filter((id) => ours.includes(id))).toEqual([second.id, first.id, third.id]);
});

test("a QR code counts down ten minutes; after that it is issued again, and not before", async () => {
  const start = new Date();
  const deal = await runAtTime(start, () => createInvoicedTrade());
  const after = (minutes: number) => new Date(start.getTime() + minutes * minute);
  const issued = async (at: Date) =>
    (await runAtTime(at, () => expectAccepted(issueInvoice(deal.buyer, deal.id)))).invoice;
  const first = await issued(after(0));
  expect(new Date(first.expiresAt).getTime() - start.getTime()).toBe(10 * minute);
  expect((await issued(new Date(after(10).getTime() - 1))).id).toBe(first.id);
  const second = await issued(after(10));
  expect(second.id).not.toBe(first.id);
  expect(second.expiresAt).toEqual(after(20));
});

test("the checklist reminder: nothing a minute before the hour, then once to the buyer, by mail and push", async () => {
  const deal = await withDevices(service, await createOpenedTrade());
  const [row] = await db().execute<{ at: string }>(
    sql`SELECT extract(epoch FROM opened_at) * 1000 AS at FROM escrow.vaults WHERE trade_id = ${deal.id}`,
  );
  const before = await notificationsAbout(deal);
  const drained = async (minutes: number) => {
    const at = new Date(Number(row?.at) + minutes * minute + 1);
    await runAtTime(at, () => Promise.all([drainJobs(at), drainJobs(at)]));
    const { mails, pushes } = await notificationsAbout(deal);
    return [...mails.slice(before.mails.length), ...pushes.slice(before.pushes.length)];
  };
  expect(await drained(59)).toEqual([]);
  expect(await drained(60)).toEqual(["buyer: vaultReminder", "buyer: vaultCheck"]);
});
