import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { ruleDispute } from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  assertSoundLedger,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  readAuditActions,
  readMailTemplates,
  readNoticeCodes,
  runAtTime,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import { workQueue } from "../backoffice/work-queue/work-queue.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { sweepDeadlines } from "../deadlines/run-deadlines.ts";
import { readTrade as tradeFor } from "../trade/view/trade-view.ts";
import { adminDispute } from "./dispute-view.ts";
import { giveBackDispute, mayDecide, takeDispute, writeAsMediator } from "./mediate.ts";
import { explainDispute, openDispute } from "./open-dispute.ts";
import { previewRuling } from "./rule.ts";

useDatabase();
useSandboxProvider();

const reason = "the account was taken back";
const other = () => plantUser({ isAdmin: true, displayName: "The other one" });

async function disputed() {
  const deal = await createPaidTrade();
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
  return deal;
}

describe("a dispute case", () => {
  test("is taken by one of two administrators who press at the same time; the other sees who has it", async () => {
    const deal = await disputed();
    const second = await other();
    const both = await Promise.all([takeDispute(deal.admin, deal.id), takeDispute(second, deal.id)]);
    const [won, lost] = both[0].ok ? both : [both[1], both[0]];
    expect(won).toMatchObject({ ok: true, changed: true });
    const name = both[0].ok ? deal.admin.displayName : second.displayName;
    expect(lost).toMatchObject({ ok: false, code: "DISPUTE_TAKEN", params: { name } });
    expect((await readNoticeCodes(deal)).filter((code) => code === "disputeTaken")).toHaveLength(1);
    expect((await readAuditActions(deal)).filter((one) => one === "transaction.take_dispute")).toHaveLength(
      1,
    );
    const queue = await workQueue(deal.admin);
    const waiting = queue.ok && queue.queue.disputes.find(({ transactionId }) => transactionId === deal.id);
    expectMatch(waiting, { mediator: name, dueAt: expect.any(String) });
  });

  test("taken twice by the same administrator changes nothing the second time", async () => {
    const deal = await disputed();
    expect(await expectAccepted(takeDispute(deal.admin, deal.id))).toMatchObject({ changed: true });
    expect(await expectAccepted(takeDispute(deal.admin, deal.id))).toMatchObject({ changed: false });
    expect((await readMailTemplates(deal.buyer)).filter((one) => one === "disputeStep")).toHaveLength(1);
    expect((await readMailTemplates(deal.seller)).filter((one) => one === "disputeStep")).toHaveLength(1);
  });

  test("cannot be taken by members, for an administrator's own trade, or without a dispute", async () => {
    const deal = await disputed();
    const own = { ...deal.seller, isAdmin: true };
    const words = { words: "hello" };
    for (const [who, code] of [
      [deal.seller, "ADMIN_REQUIRED"],
      [own, "OWN_TRADE"],
    ] as const) {
      expect(await takeDispute(who, deal.id)).toMatchObject({ code });
      expect(await giveBackDispute(who, deal.id)).toMatchObject({ code });
      expect(await writeAsMediator(who, deal.id, words)).toMatchObject({ code });
      expect(await previewRuling(who, deal.id, { ruling: "refund" })).toMatchObject({ code });
    }
    const quiet = await createPaidTrade();
    expect(await takeDispute(quiet.admin, quiet.id)).toMatchObject({
      code: "TRADE_OVERTAKEN",
      current: "payment_confirmed",
    });
    expect(await takeDispute(quiet.admin, 999_999)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
  });

  test("that was given back can be taken by another; so can that of a former administrator", async () => {
    const deal = await disputed();
    const second = await other();
    await expectAccepted(takeDispute(deal.admin, deal.id));
    expect(await giveBackDispute(second, deal.id)).toMatchObject({ code: "DISPUTE_TAKEN" });
    expect(await expectAccepted(giveBackDispute(deal.admin, deal.id))).toMatchObject({ changed: true });
    expect(await expectAccepted(giveBackDispute(deal.admin, deal.id))).toMatchObject({ changed: false });
    await expectAccepted(takeDispute(second, deal.id));
    await db().execute(sql`UPDATE identity.users SET is_admin = false WHERE id = ${second.userId}`);
    expect(await expectAccepted(takeDispute(deal.admin, deal.id))).toMatchObject({ changed: true });
    expect((await readNoticeCodes(deal)).slice(-4)).toEqual([
      "disputeTaken",
      "disputeGivenBack",
      "disputeTaken",
      "disputeTaken",
    ]);
  });
});

describe("the mediator", () => {
  test("writes to both as a notice with the mediator's name, and once however often it is sent", async () => {
    const deal = await disputed();
    expect(await writeAsMediator(deal.admin, deal.id, { words: "hello" })).toMatchObject({
      code: "DISPUTE_NOT_TAKEN",
    });
    await expectAccepted(takeDispute(deal.admin, deal.id));
    const words = "Please show the login page.\n$t(errors.UNKNOWN) {{code}}";
    expect(await expectAccepted(writeAsMediator(deal.admin, deal.id, { words }))).toMatchObject({
      changed: true,
    });
    expect(await expectAccepted(writeAsMediator(deal.admin, deal.id, { words }))).toMatchObject({
      changed: false,
    });
    expect(await writeAsMediator(await other(), deal.id, { words })).toMatchObject({ code: "DISPUTE_TAKEN" });
    const [last] = await db().execute<{ type: string; sender: string | null; params: object }>(sql`
      SELECT type, sender_id AS sender, params FROM rooms.messages
      WHERE room_id = ${deal.roomId} ORDER BY seq DESC LIMIT 1`);
    expect(last).toMatchObject({
      type: "system",
      sender: null,
      params: { words, userId: deal.admin.userId },
    });
    const seen = await expectAccepted(tradeFor(deal.seller, deal.id));
    expect(seen.trade.dispute?.statements.at(-1)).toMatchObject({ by: "admin", body: words });
  });

  test("is the only one who can rule while handling the case", async () => {
    const deal = await disputed();
    await expectAccepted(takeDispute(deal.admin, deal.id));
    const ruling = { ruling: "refund", reason: "it never worked", sum: 110_000 } as const;
    const second = await other();
    expect(await ruleDispute(second, deal.id, ruling)).toMatchObject({ code: "DISPUTE_TAKEN" });
    expect((await tradeNow(deal)).status).toBe("disputed");
    expect((await expectAccepted(ruleDispute(deal.admin, deal.id, ruling))).trade.status).toBe("cancelled");
  });
});

describe("a ruling", () => {
  test("shows what each side gets, to the tugrik, and needs that amount typed in", async () => {
    const deal = await disputed();
    await saveSellerAccount(deal);
    const sums = async (ruling: "release" | "refund" | "split", refundAmount?: number) => {
      const shown = await previewRuling(deal.admin, deal.id, {
        ruling,
        ...(refundAmount && { refundAmount }),
      });
      return shown.ok ? shown.ruling : shown.code;
    };
    const first = { warnings: ["statements_open", "not_taken"], secondNeeded: false };
    const release = { toBuyer: 0, toSeller: 100_000, fee: 10_000, sum: 100_000 };
    expect(await sums("release")).toEqual({ ...release, ...first } as never);
    expect(await sums("refund")).toEqual({
      toBuyer: 110_000,
      toSeller: 0,
      fee: 0,
      sum: 110_000,
      ...first,
    } as never);
    expect(await sums("split", 33_333)).toEqual({
      ...(first as object as { warnings: []; secondNeeded: false }),
      toBuyer: 33_333,
      toSeller: 66_667,
      fee: 10_000,
      sum: 33_333,
    });
    expect(await sums("split", 100_000)).toBe("SPLIT_OUT_OF_RANGE");
    const split = { ruling: "split", refundAmount: 33_333, reason: "half of it worked" } as const;
    const wrong = await ruleDispute(deal.admin, deal.id, { ...split, sum: 33_334 });
    expect(wrong).toMatchObject({ code: "SUM_DIFFERS", params: { sum: 33_333 } });
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
    await expectAccepted(ruleDispute(deal.admin, deal.id, { ...split, sum: 33_333 }));
    expect(await moneyOf(deal)).toMatchObject({
      records: ["payout 66667+10000 escrow due", "refund 33333+0 escrow due"],
    });
    const view = await adminDispute(deal.admin, deal.id);
    expect(view.ok && view.dispute.cases.at(-1)).toMatchObject({
      outcome: "split",
      refundAmount: 33_333,
      mediator: { id: deal.admin.userId },
    });
    expect(await sums("release")).toBe("TRADE_OVERTAKEN");
    expect(await sums("split", 33_333)).toBe("TRADE_OVERTAKEN");
    await assertSoundLedger();
  });

  test("needs a login within the last ten minutes", async () => {
    const deal = await disputed();
    const stale = { ...deal.admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    const ruling = { ruling: "refund", reason, sum: 110_000 } as const;
    expect(await ruleDispute(stale, deal.id, ruling)).toMatchObject({ code: "REAUTH_REQUIRED" });
    expect(await moneyOf(deal)).toMatchObject({ records: [] });
  });

  test("by two administrators at once on a case that nobody has is given by one of them", async () => {
    const deal = await disputed();
    const second = await other();
    const done = await Promise.all([
      ruleDispute(deal.admin, deal.id, { ruling: "refund", reason, sum: 110_000 }),
      ruleDispute(second, deal.id, { ruling: "release", reason, sum: 100_000 }),
    ]);
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    expect(done.find(({ ok }) => !ok)).toMatchObject({ code: "TRADE_OVERTAKEN" });
    expect((await moneyOf(deal)).records).toHaveLength(1);
    await assertSoundLedger();
  });
});

describe("who may decide about a trade", () => {
  const asked = async (deal: Awaited<ReturnType<typeof disputed>>, who: { userId: number }) => {
    const trade = await tradeNow(deal);
    return mayDecide(db(), { trade, userId: who.userId });
  };
  const fine = { ok: true } as const;
  const theirs = { ok: false, code: "DISPUTE_TAKEN", params: { name: "The other one" } } as const;

  test("any administrator, if there was no dispute, or it was withdrawn or refunded", async () => {
    const deal = await createPaidTrade();
    expect(await asked(deal, deal.admin)).toEqual(fine);
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
    await expectAccepted(takeDispute(await other(), deal.id));
    await expectAccepted(withdrawDispute(deal.buyer, deal.id));
    expect(await asked(deal, deal.admin)).toEqual(fine);
    const refunded = await disputed();
    await expectAccepted(ruleDispute(await other(), refunded.id, { ruling: "refund", reason, sum: 110_000 }));
    expect(await asked(refunded, refunded.admin)).toEqual(fine);
  });

  test("only the mediator, while a dispute is open", async () => {
    const deal = await disputed();
    expect(await asked(deal, deal.admin)).toEqual({
      ...{ ok: false, code: "DISPUTE_NOT_TAKEN", current: "disputed" },
    });
    const mediator = await other();
    await expectAccepted(takeDispute(mediator, deal.id));
    expect(await asked(deal, deal.admin)).toEqual(theirs);
    expect(await asked(deal, mediator)).toEqual(fine);
  });

  test("the author of a ruling, while they are an administrator", async () => {
    for (const ruling of [
      { ruling: "release", sum: 100_000, reason },
      { ruling: "split", refundAmount: 40_000, sum: 40_000, reason },
    ] as const) {
      const deal = await disputed();
      await saveSellerAccount(deal);
      const mediator = await other();
      await expectAccepted(ruleDispute(mediator, deal.id, ruling));
      expect(await asked(deal, deal.admin)).toEqual(theirs);
      expect(await asked(deal, mediator)).toEqual(fine);
      await db().execute(sql`UPDATE identity.users SET is_admin = false WHERE id = ${mediator.userId}`);
      expect(await asked(deal, deal.admin)).toEqual(fine);
    }
  });
});

describe("both sides", () => {
  test("read every statement when it is made, and are notified of every step", async () => {
    const deal = await disputed();
    await expectAccepted(takeDispute(deal.admin, deal.id));
    await expectAccepted(explainDispute(deal.seller, deal.id, { reason: "it was not" }));
    await expectAccepted(explainDispute(deal.seller, deal.id, { reason: "and I can show it" }));
    for (const side of [deal.buyer, deal.seller]) {
      const { dispute } = (await expectAccepted(tradeFor(side, deal.id))).trade;
      expect(dispute).toMatchObject({
        openedBy: "buyer",
        outcome: null,
        mediator: { displayName: deal.admin.displayName },
      });
      expect(dispute?.statements.map(({ by, body }) => [by, body])).toEqual([
        ["buyer", reason],
        ["seller", "it was not"],
        ["seller", "and I can show it"],
      ]);
    }
    await expectAccepted(withdrawDispute(deal.buyer, deal.id));
    expect((await readNoticeCodes(deal)).slice(-5)).toEqual([
      "disputeOpenedByBuyer",
      "disputeTaken",
      "disputeExplainedBySeller",
      "disputeExplainedBySeller",
      "disputeWithdrawn",
    ]);
    const steps = async (to: typeof deal.buyer) =>
      (await readMailTemplates(to)).filter((one) => one.startsWith("dispute"));
    // The seller: opened, taken, withdrawn. The buyer: taken, the seller's first statement, withdrawn.
    expect(await steps(deal.seller)).toEqual(["disputeOpened", "disputeStep", "disputeStep"]);
    expect(await steps(deal.buyer)).toEqual(["disputeStep", "disputeStep", "disputeStep"]);
  });

  test("have 24 hours to explain: a silent side is reminded, and both are notified of the end", async () => {
    const deal = await disputed();
    const hour = 3_600_000;
    const told = async (to: typeof deal.buyer) =>
      (await readMailTemplates(to)).filter((one) => one.startsWith("deadline"));
    const [heard, silent] = [(await told(deal.buyer)).length, (await told(deal.seller)).length];
    const near = new Date(Date.now() + 19 * hour);
    await runAtTime(near, () => sweepDeadlines(near));
    expect(await told(deal.buyer)).toHaveLength(heard);
    expect((await told(deal.seller)).slice(silent)).toEqual(["deadlineReminder"]);
    const over = new Date(Date.now() + 25 * hour);
    await runAtTime(over, () => sweepDeadlines(over));
    expect((await told(deal.buyer)).slice(heard)).toEqual(["deadlineOverdue"]);
    expect((await told(deal.seller)).slice(silent)).toEqual(["deadlineReminder", "deadlineOverdue"]);
    expect(
      await expectAccepted(explainDispute(deal.seller, deal.id, { reason: "late, but heard" })),
    ).toMatchObject({
      changed: true,
    });
  });

  test("can settle by themselves, which closes the case and removes it from the queue", async () => {
    const deal = await disputed();
    await expectAccepted(takeDispute(deal.admin, deal.id));
    await expectAccepted(withdrawDispute(deal.buyer, deal.id));
    const queue = await workQueue(deal.admin);
    expect(queue.ok && queue.queue.disputes.some(({ transactionId }) => transactionId === deal.id)).toBe(
      false,
    );
    expect(await writeAsMediator(deal.admin, deal.id, { words: "still there?" })).toMatchObject({
      code: "TRADE_OVERTAKEN",
    });
    await expectAccepted(openDispute(deal.seller, deal.id, { reason: "another one" }));
    const again = await adminDispute(deal.admin, deal.id);
    expect(again.ok && again.dispute.cases.map(({ mediator, outcome }) => [mediator?.id, outcome])).toEqual([
      [deal.admin.userId, "withdrawn"],
      [undefined, null],
    ]);
  });
});
