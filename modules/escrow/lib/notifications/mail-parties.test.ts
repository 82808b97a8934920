import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { chooseNotifications } from "#modules/identity";
import type { Payout } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createInvoicedTrade,
  expectAccepted,
  readMailTemplates,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { type PayoutStepRefusal, refusePayoutStep } from "../core/refused-step.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import type { DisputeStep, EndReason } from "../machine/trade-types.ts";
import { checkPayment } from "../payment/check-payment.ts";
import { confirmCompletion, handOver } from "../trade/party-commands.ts";
import { mailAdmins, mailDisputeStep, mailParty } from "./mail-parties.ts";
import { notifyParties } from "./notify-parties.ts";

useDatabase();
const market = useSandboxProvider();

test("people without optional mails get none; mails about money are always sent", async () => {
  const deal = await createInvoicedTrade();
  for (const party of [deal.buyer, deal.seller]) {
    const saved = await chooseNotifications(party, { requests: false, reminders: false });
    expect(saved).toMatchObject({ ok: true });
  }
  await market.pay(deal);
  await expectAccepted(checkPayment(deal.id, "callback"));
  await expectAccepted(handOver(deal.seller, deal.id));
  await saveSellerAccount(deal);
  await expectAccepted(confirmCompletion(deal.buyer, deal.id));
  expect(await readMailTemplates(deal.buyer)).toEqual(["paymentRequested", "paymentConfirmed"]);
  expect(await readMailTemplates(deal.seller)).toEqual(["paymentConfirmed"]);
});

/** The emails that `work` queues: to whom, and with what data. */
async function mailed(work: (tx: Tx) => Promise<unknown>) {
  const [last] = await db().execute<{ id: string }>(
    sql`SELECT coalesce(max(id), 0) AS id FROM mailer.messages`,
  );
  await runInTransaction(work);
  const rows = await db().execute<{ to: string | null; key: string | null; data: Record<string, unknown> }>(
    sql`SELECT user_id AS to, key, data FROM mailer.messages WHERE id > ${last?.id ?? 0} ORDER BY id`,
  );
  return rows.map(({ to, key, data }) => ({ to: to === null ? null : Number(to), key, data }));
}

describe("a mail", () => {
  const moved = { refund: 40_000, payout: 60_000, missing: null };

  test("about a cancelled trade gives the reason; without a party or ruling it was an administrator", async () => {
    const deal = await createInvoicedTrade();
    const trade = await tradeNow(deal);
    const reasons: Array<[EndReason | null, string]> = [
      ["withdrawn", "withdrawn"],
      ["expired", "expired"],
      ["agreed", "agreed"],
      ["ruling", "ruling"],
      ["admin", "admin"],
      ["paid_out", "admin"],
      ["closed", "admin"],
      [null, "admin"],
    ];
    for (const [endReason, reason] of reasons) {
      const mail = { to: "buyer", template: "tradeCancelled" } as const;
      const [letter] = await mailed((tx) => mailParty(tx, { ...trade, endReason }, mail, moved));
      expect(letter?.data).toMatchObject({ reason, role: "buyer", refund: 40_000 });
    }
  });

  test("about a trade's end says what the buyer paid and what the seller got; nothing for an unpaid one", async () => {
    const trade = await tradeNow(await createInvoicedTrade());
    const of = async (to: "buyer" | "seller", confirmedAt: Date | null) => {
      const mail = { to, template: "transactionCompletion" } as const;
      const [letter] = await mailed((tx) => mailParty(tx, { ...trade, confirmedAt }, mail, moved));
      return letter?.data.amount;
    };
    expect(await of("buyer", new Date())).toBe(70_000);
    expect(await of("seller", new Date())).toBe(60_000);
    expect(await of("buyer", null)).toBe(0);
  });

  test("about a step of a dispute goes to both or to one, with only the amounts it ended with", async () => {
    const deal = await createInvoicedTrade();
    const trade = await tradeNow(deal);
    const ends: Partial<Record<DisputeStep, object>> = {
      released: { refund: 0, payout: 60_000 },
      ruledRelease: { refund: 0, payout: 60_000 },
      ruledSplit: { refund: 40_000, payout: 60_000 },
    };
    for (const step of [
      ...(["taken", "givenBack", "statement", "mediatorWrote", "withdrawn"] as const),
      ...(["released", "ruledRelease", "ruledSplit"] as const),
    ]) {
      const sums = ends[step] ?? { refund: 0, payout: 0 };
      const item = { goods: "other", price: trade.amount };
      const about = { code: trade.code, url: `/chat/${deal.roomId}`, ...item, step, ...sums, deadline: "" };
      // Midman has the buyer's account; a mail about another step says nothing of it.
      const account = step === "ruledSplit" ? "known" : "";
      const toBuyer = {
        to: deal.buyer.userId,
        key: null,
        data: { ...about, name: "", role: "buyer", other: "Худалдагч", account },
      };
      for (const sellerDestination of [true, false]) {
        const ended = { ...trade, sellerDestination };
        const sellerAccount = ends[step] === undefined ? "" : sellerDestination ? "known" : "needed";
        const toSeller = {
          to: deal.seller.userId,
          key: null,
          data: { ...about, name: "", role: "seller", other: "The buyer", account: sellerAccount },
        };
        expect(await mailed((tx) => mailDisputeStep(tx, ended, step, moved))).toEqual([toBuyer, toSeller]);
        expect(await mailed((tx) => mailDisputeStep(tx, ended, step, moved, "seller"))).toEqual([toSeller]);
      }
    }
    const [unsummed] = await mailed((tx) => mailDisputeStep(tx, trade, "ruledSplit", undefined, "buyer"));
    expect(unsummed?.data).toMatchObject({ refund: 0, payout: 0 });
  });

  test("about a trade without a description or deadline has none and says when it last changed", async () => {
    const trade = { ...(await tradeNow(await createInvoicedTrade())), deadlines: {}, description: null };
    const mail = { to: "buyer", template: "paymentRequested" } as const;
    const [letter] = await mailed((tx) => mailParty(tx, trade, mail, moved));
    expect(letter?.data).toMatchObject({ description: "", deadline: trade.updatedAt.toISOString() });
  });

  test("of a request to cancel says whether the trade is checked, so that nobody can agree", async () => {
    const trade = await tradeNow(await createInvoicedTrade());
    const mail = { to: "seller", template: "cancellationRequested" } as const;
    for (const [holds, checked] of [
      [[], "no"],
      [["FRAUD_REPORT"], "yes"],
    ] as const) {
      const [letter] = await mailed((tx) => mailParty(tx, { ...trade, holds }, mail, moved));
      expect(letter?.data).toMatchObject({ role: "seller", checked });
    }
  });

  test("that asks the seller to confirm names the time, and whether their account is known", async () => {
    const trade = await tradeNow(await createInvoicedTrade());
    const dueAt = new Date("2030-03-05T04:00:00.000Z");
    const deadlines = { seller_finish: { dueAt, pausedAt: null } };
    for (const [sellerDestination, account] of [
      [true, "known"],
      [false, "needed"],
    ] as const) {
      const confirmed = { ...trade, deadlines, sellerDestination };
      const mail = { to: "seller", template: "confirmPlease" } as const;
      const [letter] = await mailed((tx) => mailParty(tx, confirmed, mail, moved));
      expect(letter?.data).toMatchObject({ role: "seller", account, deadline: dueAt.toISOString() });
    }
  });

  test("links to the trade's own page once its room is deleted", async () => {
    const deal = await createInvoicedTrade();
    const trade = await tradeNow(deal);
    await db().execute(sql`UPDATE rooms.rooms SET deleted_at = now() WHERE id = ${deal.roomId}`);
    const [letter] = await mailed((tx) =>
      mailParty(tx, trade, { to: "buyer", template: "confirmPlease" }, moved),
    );
    expect(letter?.data.url).toBe(`/transactions/${deal.id}`);
  });

  test("skips people who are gone; the other side's mail calls them by their role", async () => {
    const deal = await createInvoicedTrade();
    const trade = await tradeNow(deal);
    const told = (of: typeof trade) => mailed((tx) => mailDisputeStep(tx, of, "taken"));
    const lost = { ...trade, buyerId: 999_999_999 };
    expect((await told(lost)).map(({ to, data }) => [to, data.other])).toEqual([
      [deal.seller.userId, "The buyer"],
    ]);
    await db().execute(sql`
      UPDATE identity.users SET deleted_at = now(), username_key = NULL, email = NULL, password_hash = NULL
      WHERE id = ${deal.buyer.userId}`);
    expect((await told(trade)).map(({ to, data }) => [to, data.other])).toEqual([
      [deal.seller.userId, "The buyer"],
    ]);
  });

  test("to the administrators is sent once per key, and every time without one", async () => {
    const { id, code } = await tradeNow(await createInvoicedTrade());
    const key = crypto.randomUUID();
    const data = { task: "excess", code, detail: "", url: `/admin/transactions/${id}` };
    const told = await mailed(async (tx) => {
      for (const _ of [1, 2]) await mailAdmins(tx, { id, code }, "reconcile", "P-1", key);
      for (const _ of [1, 2]) await mailAdmins(tx, { id, code }, "excess");
    });
    expect(told).toEqual([
      { to: null, key, data: { ...data, task: "reconcile", detail: "P-1" } },
      { to: null, key: null, data },
      { to: null, key: null, data },
    ]);
  });
});

test("both can be asked to look five times in ten minutes at most, by an administrator who is not a party", async () => {
  const deal = await createInvoicedTrade();
  expect(await notifyParties(deal.buyer, deal.id)).toMatchObject({ code: "ADMIN_REQUIRED" });
  expect(await notifyParties(deal.admin, 999_999)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
  expect(await notifyParties({ ...deal.buyer, isAdmin: true }, deal.id)).toMatchObject({ code: "OWN_TRADE" });
  for (let time = 2; time <= 5; time++) {
    expect(await expectAccepted(notifyParties(deal.admin, deal.id))).toMatchObject({
      changed: true,
      trade: { id: deal.id },
    });
  }
  expect(await notifyParties(deal.admin, deal.id)).toMatchObject({ code: "THROTTLED" });
});

test("a step blocked by another's transfer names its maker; any other refusal names the trade's state", async () => {
  const deal = await createInvoicedTrade();
  const trade = await tradeNow(deal);
  const current = { claimedBy: deal.admin.userId } as Payout;
  const answer = (step: PayoutStepRefusal) => refusePayoutStep(db(), step, trade);
  const stands = { ok: false, current: "payment_initiated" } as const;
  const claimed = { ...stands, code: "PAYOUT_CLAIMED" } as const;
  const step = { ok: false, code: "PAYOUT_CLAIMED" } as const;
  expect(await answer({ ...step, current })).toStrictEqual({
    ...claimed,
    params: { name: deal.admin.displayName },
  });
  expect(await answer({ ...step, current: { ...current, claimedBy: 999_999_999 } })).toStrictEqual({
    ...claimed,
    params: { name: "" },
  });
  expect(await answer({ ...step, current: { ...current, claimedBy: null } })).toStrictEqual(claimed);
  expect(await answer(step)).toStrictEqual(claimed);
  const other = { ...stands, code: "MONEY_HALTED", textKey: "because" } as const;
  expect(await answer({ ok: false, code: "MONEY_HALTED", textKey: "because", current })).toStrictEqual(other);
});
