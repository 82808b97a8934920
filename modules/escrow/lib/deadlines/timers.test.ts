import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { usePushService } from "../../../../tests/support/services/use-push-service.ts";
import {
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  createRequestedTrade,
  expectAccepted,
  type PlantedTrade,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { deadlinesTable } from "../core/schema.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import type { DeadlineKind } from "../machine/trade-types.ts";
import { confirmCompletion, handOver } from "../trade/party-commands.ts";
import { alone, minute, overdueWork, rowOf, tick, withDevices } from "./timers.fixture.ts";

/**
 * Every deadline, minute by minute around each of its moments: whom it notifies of what, by mail and push, its state afterwards, and that
 * two sweeps and the row's own job at the same moment act once.
 */

useDatabase();
const market = useSandboxProvider();
const service = usePushService();

type Moment = {
  /** Minutes from the deadline; negative before it. */
  at: number;
  /** The mails sent, as `who: template task`; pushes by their event. */
  mails: string[];
  pushes: string[];
};

type Timer = {
  kind: DeadlineKind;
  /** The promised duration, in minutes. */
  span: number;
  begin: () => Promise<PlantedTrade>;
  moments: Moment[];
  /** The states of the deadline's row and of the trade once the deadline has passed. */
  over: { row: "overdue" | "closed"; trade: string };
  /**
   * The list of the work queue that has the trade as overdue once the deadline has passed. Null if nothing is left to do, or another
   * deadline lists it: the review's for the buyer's confirmation, the ruling's for the statements.
   */
  work: "overdue" | "payouts" | "disputes" | null;
};

const handedOver = async () => {
  const deal = await createPaidTrade();
  await expectAccepted(handOver(deal.seller, deal.id));
  return deal;
};
/** From here on the provider answers no payment check. */
const silentProvider = async () => {
  const deal = await createInvoicedTrade();
  await market.behave({ operation: "check", fail: 503, nextCalls: "all" });
  return deal;
};
const received = async () => {
  const deal = await handedOver();
  await expectAccepted(confirmCompletion(deal.buyer, deal.id));
  return deal;
};
/** The refund appears among the payouts only later, so that the buyer's deadline is seen alone. */
const refunded = async () => {
  const deal = await createPaidTrade();
  await expectAccepted(adminCancel(deal.admin, deal.id));
  await db().execute(
    sql`UPDATE payments.payouts SET due_at = due_at + interval '90 days' WHERE reference = ${deal.id}`,
  );
  return deal;
};
const settling = async () => {
  const deal = await createPaidTrade();
  await confirmByBoth(deal);
  return deal;
};
const disputed = async () => {
  const deal = await createPaidTrade();
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "the level is wrong" }));
  return deal;
};
const cancelled = {
  mails: ["buyer: tradeCancelled", "seller: tradeCancelled"],
  pushes: ["buyer: cancelled", "seller: cancelled"],
};

const timers: Record<string, Timer> = {
  "the payment window: two hours from the first invoice": {
    ...{ kind: "payment_window", span: 120, begin: () => createInvoicedTrade() },
    moments: [
      { at: -30, mails: ["buyer: deadlineReminder pay"], pushes: ["buyer: reminder"] },
      { at: 0, ...cancelled },
    ],
    ...{ over: { row: "closed", trade: "cancelled" }, work: null },
  },
  "the payment window without an invoice: a day": {
    ...{ kind: "payment_window", span: 24 * 60, begin: () => createRequestedTrade() },
    moments: [
      { at: -30, mails: ["buyer: deadlineReminder pay"], pushes: ["buyer: reminder"] },
      { at: 0, ...cancelled },
    ],
    ...{ over: { row: "closed", trade: "cancelled" }, work: null },
  },
  "the payment window while the provider is silent: both sides are told once that it could not be ended": {
    ...{ kind: "payment_window", span: 120, begin: silentProvider },
    moments: [
      { at: -30, mails: ["buyer: deadlineReminder pay"], pushes: ["buyer: reminder"] },
      {
        at: 0,
        mails: ["buyer: deadlineOverdue pay", "seller: deadlineOverdue buyerPays"],
        pushes: ["buyer: overdue", "seller: overdue"],
      },
    ],
    ...{ over: { row: "overdue", trade: "payment_initiated" }, work: "overdue" },
  },
  "the hand-over: a day from the payment": {
    ...{ kind: "hand_over", span: 24 * 60, begin: () => createPaidTrade() },
    moments: [
      { at: -240, mails: ["seller: deadlineReminder handOver"], pushes: ["seller: reminder"] },
      {
        at: 0,
        mails: [
          "buyer: deadlineOverdue sellerHandsOver",
          "desk: overdue",
          "seller: deadlineOverdue handOver",
        ],
        pushes: ["buyer: overdue", "seller: overdue"],
      },
    ],
    ...{ over: { row: "overdue", trade: "payment_confirmed" }, work: "overdue" },
  },
  "the buyer's word: reminded six and twelve hours after the hand-over": {
    ...{ kind: "buyer_finish", span: 12 * 60, begin: handedOver },
    moments: [
      { at: -360, mails: ["buyer: deadlineReminder buyerConfirm"], pushes: ["buyer: reminder"] },
      { at: 0, mails: ["buyer: deadlineOverdue buyerConfirm"], pushes: ["buyer: overdue"] },
    ],
    ...{ over: { row: "overdue", trade: "payment_confirmed" }, work: null },
  },
  "the administrators' review: a day after the hand-over": {
    ...{ kind: "admin_review", span: 24 * 60, begin: handedOver },
    moments: [{ at: 0, mails: ["desk: overdue"], pushes: [] }],
    ...{ over: { row: "overdue", trade: "payment_confirmed" }, work: "overdue" },
  },
  "the seller's word: half a day from the buyer's": {
    ...{ kind: "seller_finish", span: 12 * 60, begin: received },
    moments: [
      { at: -360, mails: ["seller: deadlineReminder sellerConfirm"], pushes: ["seller: reminder"] },
      {
        at: 0,
        mails: ["desk: overdue", "seller: deadlineOverdue sellerConfirm"],
        pushes: ["seller: overdue"],
      },
    ],
    ...{ over: { row: "overdue", trade: "exchange_completed" }, work: "overdue" },
  },
  "the account of a refund: a day from when it became due": {
    ...{ kind: "refund_account", span: 24 * 60, begin: refunded },
    moments: [
      { at: -360, mails: ["buyer: deadlineReminder refundAccount"], pushes: ["buyer: reminder"] },
      {
        at: 0,
        mails: ["buyer: deadlineOverdue refundAccount", "desk: overdue"],
        pushes: ["buyer: overdue"],
      },
    ],
    ...{ over: { row: "overdue", trade: "cancelled" }, work: "overdue" },
  },
  "the payout: three hours": {
    ...{ kind: "payout", span: 180, begin: settling },
    moments: [
      { at: -60, mails: ["desk: payout"], pushes: [] },
      { at: 0, mails: ["desk: overdue", "seller: deadlineOverdue payout"], pushes: ["seller: overdue"] },
    ],
    ...{ over: { row: "overdue", trade: "settlement_pending" }, work: "payouts" },
  },
  "the statements of a dispute: a day, of which only who has not spoken is reminded": {
    ...{ kind: "dispute_statements", span: 24 * 60, begin: disputed },
    moments: [
      { at: -360, mails: ["seller: deadlineReminder statement"], pushes: ["seller: reminder"] },
      {
        at: 0,
        mails: ["buyer: deadlineOverdue statement", "seller: deadlineOverdue statement"],
        pushes: ["buyer: overdue", "seller: overdue"],
      },
    ],
    ...{ over: { row: "overdue", trade: "disputed" }, work: null },
  },
  "the ruling of a dispute: two days": {
    ...{ kind: "dispute_ruling", span: 48 * 60, begin: disputed },
    moments: [
      { at: -720, mails: ["desk: dispute"], pushes: [] },
      {
        at: 0,
        mails: ["buyer: deadlineOverdue ruling", "desk: overdue", "seller: deadlineOverdue ruling"],
        pushes: ["buyer: overdue", "seller: overdue"],
      },
    ],
    ...{ over: { row: "overdue", trade: "disputed" }, work: "disputes" },
  },
};

const nothing = { mails: [], pushes: [] };

describe("each deadline", () => {
  afterEach(() => market.behave({ reset: true }));

  test.each(Object.entries(timers))("%s", async (_, { kind, span, begin, moments, over, work }) => {
    const start = new Date();
    const deal = await withDevices(service, await runAtTime(start, begin));
    await alone(deal, kind);
    const { id, dueAt } = await rowOf(deal, kind);
    expect(dueAt.getTime() - start.getTime()).toBe(span * minute);
    for (const { at, mails, pushes } of moments) {
      const around = (minutes: number) => new Date(dueAt.getTime() + (at + minutes) * minute);
      for (const early of [-1])
        expect([early, await tick(deal, id, around(early))]).toEqual([early, nothing]);
      expect(await rowOf(deal, kind)).toMatchObject({ state: "running", overdueAt: null });
      expect(await overdueWork(deal, around(-1))).toEqual([]);
      expect(await tick(deal, id, around(0))).toEqual({ mails, pushes });
      for (const late of [0, 1]) expect([late, await tick(deal, id, around(late))]).toEqual([late, nothing]);
    }
    const { state, overdueAt } = await rowOf(deal, kind);
    expect(state).toBe(over.row);
    if (state === "overdue") expect(overdueAt).toEqual(dueAt);
    const [trade] = await db().execute<{ status: string }>(
      sql`SELECT status FROM escrow.trades WHERE id = ${deal.id}`,
    );
    expect(trade?.status).toBe(over.trade);
    expect(await overdueWork(deal, new Date(dueAt.getTime() + minute))).toEqual(work === null ? [] : [work]);
    expect(await tick(deal, id, new Date(dueAt.getTime() + 40 * 24 * 60 * minute))).toEqual(nothing);
  });

  test("no other kind of row is stored", async () => {
    const rows = await db().selectDistinct({ kind: deadlinesTable.kind }).from(deadlinesTable);
    expect(rows.map(({ kind }) => kind).sort()).toEqual(
      [...new Set(Object.values(timers).map(({ kind }) => kind))].sort(),
    );
  });
});
