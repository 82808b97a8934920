import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db } from "#db/client";
import { setAdmin } from "#modules/identity";
import { sendMessage } from "#modules/rooms";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { grantAnew, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  assertSoundLedger,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  runAtTime,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { adminCancel } from "../../backoffice/transactions/administrator-commands.ts";
import { workQueue } from "../../backoffice/work-queue/work-queue.ts";
import { tradeNow } from "../../core/trade.fixture.ts";
import { adminDispute } from "../dispute-view.ts";
import { giveBackDispute, takeDispute, writeAsMediator } from "../mediate.ts";
import { explainDispute, openDispute } from "../open-dispute.ts";
import { previewRuling, ruleDispute } from "../rule.ts";
import { confirmRuling, withdrawRuling } from "./confirm.ts";

useDatabase();
useSandboxProvider();
afterEach(() => overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined }));

const reason = "the account was taken back";
const refund = { ruling: "refund", sum: 110_000, reason } as const;
const known = { ...refund, warningsConfirmed: true };
const administrator = (displayName: string) => plantUser({ isAdmin: true, displayName });

async function disputed(): Promise<PlantedTrade> {
  const deal = await createPaidTrade();
  await saveSellerAccount(deal);
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "nothing came" }));
  return deal;
}

async function entries(deal: { id: number }, action: string) {
  const rows = await db().execute<{ data: Record<string, unknown> }>(sql`
    SELECT data - 'digest' AS data FROM audit.entries WHERE subject_kind = 'transaction' AND subject_id = ${String(deal.id)}
      AND action = ${`transaction.${action}`} ORDER BY id`);
  return rows.map(({ data }) => data);
}

const proposalIn = async (reader: PlantedTrade["admin"], deal: PlantedTrade) => {
  const shown = await adminDispute(reader, deal.id);
  if (!shown.ok) throw new Error(shown.code);
  return shown.dispute.proposal;
};

describe("a ruling while the other side still has time, or of a case that nobody has taken", () => {
  test("needs a confirmation that its author knows it, which is logged", async () => {
    const deal = await disputed();
    const shown = await previewRuling(deal.admin, deal.id, refund);
    expect(shown).toMatchObject({ ruling: { warnings: ["statements_open", "not_taken"] } });
    expect(await ruleDispute(deal.admin, deal.id, refund)).toMatchObject({ code: "RULING_WARNED" });
    const unsure = { ...refund, warningsConfirmed: false };
    expect(await ruleDispute(deal.admin, deal.id, unsure)).toMatchObject({ code: "RULING_WARNED" });
    expect(await tradeNow(deal)).toMatchObject({ status: "disputed" });
    expect(await expectAccepted(ruleDispute(deal.admin, deal.id, known))).toMatchObject({ state: "ruled" });
    expect(await entries(deal, "rule_warned")).toEqual([{ warnings: ["statements_open", "not_taken"] }]);
  });

  test("needs no confirmation once both have explained, or their time has passed, and the case is taken", async () => {
    const spoken = await disputed();
    await expectAccepted(takeDispute(spoken.admin, spoken.id));
    expect(await ruleDispute(spoken.admin, spoken.id, refund)).toMatchObject({ code: "RULING_WARNED" });
    await expectAccepted(explainDispute(spoken.seller, spoken.id, { reason: "it was handed over" }));
    await expectAccepted(ruleDispute(spoken.admin, spoken.id, refund));
    expect(await entries(spoken, "rule_warned")).toEqual([]);
    const over = await disputed();
    await expectAccepted(takeDispute(over.admin, over.id));
    const after = new Date(Date.now() + 25 * 3_600_000);
    await runAtTime(after, () =>
      expectAccepted(ruleDispute({ ...over.admin, authenticatedAt: after }, over.id, refund)),
    );
  });
});

describe("a ruling above the four-eyes limit", () => {
  test("cannot be cancelled by one person once it was confirmed, nor once a side disputes it again", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 90_000 });
    const [deal, second] = [await disputed(), await administrator("Second")];
    await saveSellerAccount(deal);
    await expectAccepted(ruleDispute(deal.admin, deal.id, { ...known, ruling: "release", sum: 100_000 }));
    const proposal = (await proposalIn(second, deal))?.id ?? 0;
    await expectAccepted(confirmRuling(second, deal.id, { proposal, sum: 100_000 }));
    expect(await moneyOf(deal)).toMatchObject({ records: ["payout 100000+10000 escrow due"] });
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
    await expectAccepted(takeDispute(deal.admin, deal.id));
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
  });

  test("is proposed by the mediator and confirmed by another, both named; nothing moves before", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 100_000 });
    const [deal, second] = [await disputed(), await administrator("Second")];
    expect(await expectAccepted(ruleDispute(deal.admin, deal.id, known))).toMatchObject({
      changed: true,
      state: "proposed",
    });
    expect(await expectAccepted(ruleDispute(deal.admin, deal.id, known))).toMatchObject({ changed: false });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, records: [] });
    const proposal = await proposalIn(second, deal);
    expect(proposal).toMatchObject({
      ...{ ruling: "refund", sum: 110_000, reason, own: false, obstacle: null },
    });
    expect(await proposalIn(deal.admin, deal)).toMatchObject({ own: true });
    const queued = await workQueue(second);
    const task = queued.ok && queued.queue.disputes.find(({ transactionId }) => transactionId === deal.id);
    expect(task).toMatchObject({ proposed: { own: false, obstacle: null } });
    const given = { proposal: proposal?.id ?? 0, sum: 110_000 };
    expect(await confirmRuling(deal.admin, deal.id, given)).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
    expect(await confirmRuling(second, deal.id, { ...given, sum: 1 })).toMatchObject({ code: "SUM_DIFFERS" });
    expect(await confirmRuling(second, deal.id, { ...given, proposal: 999_999 })).toMatchObject({
      code: "NOT_FOUND",
    });
    const own = { ...deal.buyer, isAdmin: true };
    expect(await confirmRuling(own, deal.id, given)).toMatchObject({ code: "OWN_TRADE" });
    expect((await expectAccepted(confirmRuling(second, deal.id, given))).trade.status).toBe("cancelled");
    expect(await expectAccepted(confirmRuling(second, deal.id, given))).toMatchObject({ changed: false });
    expect(await entries(deal, "confirm_ruling")).toEqual([
      {
        ...{ proposal: given.proposal, proposedBy: deal.admin.userId, confirmedBy: second.userId },
        warnings: ["statements_open", "not_taken"],
      },
    ]);
    expect(await moneyOf(deal)).toMatchObject({ records: ["refund 110000+0 escrow due"] });
    await assertSoundLedger();
  });

  test("can be corrected and withdrawn only by its proposer, and ends with the case or their right", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 100_000 });
    const [deal, second] = [await disputed(), await administrator("Second")];
    await expectAccepted(ruleDispute(deal.admin, deal.id, known));
    const first = (await proposalIn(second, deal))?.id ?? 0;
    expect(await ruleDispute(second, deal.id, known)).toMatchObject({ code: "DISPUTE_TAKEN" });
    expect(await withdrawRuling(second, deal.id, { proposal: first })).toMatchObject({
      code: "DISPUTE_TAKEN",
    });
    await expectAccepted(ruleDispute(deal.admin, deal.id, { ...known, reason: "in other words" }));
    expect(await confirmRuling(second, deal.id, { proposal: first, sum: 110_000 })).toMatchObject({
      code: "PROPOSAL_CHANGED",
    });
    const next = (await proposalIn(second, deal))?.id ?? 0;
    await expectAccepted(withdrawRuling(deal.admin, deal.id, { proposal: next }));
    expect(await expectAccepted(withdrawRuling(deal.admin, deal.id, { proposal: next }))).toMatchObject({
      changed: false,
    });
    expect(await proposalIn(second, deal)).toBeNull();
    await expectAccepted(ruleDispute(deal.admin, deal.id, known));
    const last = (await proposalIn(second, deal))?.id ?? 0;
    await expectAccepted(giveBackDispute(deal.admin, deal.id));
    expect(await confirmRuling(second, deal.id, { proposal: last, sum: 110_000 })).toMatchObject({
      code: "PROPOSAL_CHANGED",
    });
    await expectAccepted(takeDispute(deal.admin, deal.id));
    expect(await setAdmin(second, deal.admin.userId, false)).toMatchObject({ ok: true });
    expect(await confirmRuling(second, deal.id, { proposal: last, sum: 110_000 })).toMatchObject({
      code: "PROPOSER_NOT_ADMIN",
    });
    await expectAccepted(withdrawRuling(second, deal.id, { proposal: last }));
    expect(await tradeNow(deal)).toMatchObject({ status: "disputed" });
  });

  test("does not count once its proposer lost the right, even if regained, until they propose it again", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 100_000 });
    const [deal, second] = [await disputed(), await administrator("Second")];
    await expectAccepted(ruleDispute(deal.admin, deal.id, known));
    await grantAnew(deal.admin.userId);
    expect(await proposalIn(second, deal)).toMatchObject({ obstacle: "PROPOSER_NOT_ADMIN" });
    expect(await expectAccepted(ruleDispute(deal.admin, deal.id, known))).toMatchObject({
      changed: true,
      state: "proposed",
    });
    const { id: proposal = 0, obstacle } = (await proposalIn(second, deal)) ?? {};
    expect(obstacle).toBeNull();
    await expectAccepted(confirmRuling(second, deal.id, { proposal, sum: 110_000 }));
    expect(await tradeNow(deal)).toMatchObject({ status: "cancelled" });
  });

  test("cannot be bypassed by cancelling the disputed trade", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 100_000 });
    const deal = await disputed();
    await expectAccepted(takeDispute(deal.admin, deal.id));
    expect(await adminCancel(deal.admin, deal.id)).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 110_000 });
    await expectAccepted(adminCancel(deal.admin, deal.id));
  });

  test("cannot be confirmed by a related administrator; up to the limit one person rules", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 100_000 });
    const [deal, made] = [await disputed(), await plantUser()];
    await expectAccepted(ruleDispute(deal.admin, deal.id, known));
    expect(await setAdmin(deal.admin, made.userId, true)).toMatchObject({ ok: true });
    const related = { ...made, isAdmin: true };
    const proposal = (await proposalIn(related, deal))?.id ?? 0;
    expect(await proposalIn(related, deal)).toMatchObject({ obstacle: "FOUR_EYES_RELATED" });
    expect(await confirmRuling(related, deal.id, { proposal, sum: 110_000 })).toMatchObject({
      code: "FOUR_EYES_RELATED",
    });
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 110_000 });
    expect(await expectAccepted(ruleDispute(deal.admin, deal.id, known))).toMatchObject({ state: "ruled" });
  });
});

describe("an answer to the mediator", () => {
  test("is marked on the dispute's page and in the work queue, for messages and statements", async () => {
    const deal = await disputed();
    const say = (content: string) =>
      sendMessage(deal.seller, deal.roomId, {
        content,
        type: "text",
        clientId: crypto.randomUUID(),
      } as never);
    const marked = async () => {
      const [shown, queued] = [await adminDispute(deal.admin, deal.id), await workQueue(deal.admin)];
      const task = queued.ok && queued.queue.disputes.find(({ transactionId }) => transactionId === deal.id);
      return [shown.ok ? shown.dispute.answered?.by : "refused", task ? task.answered?.by : "absent"];
    };
    expect(await say("before anybody asked")).toMatchObject({ ok: true });
    await expectAccepted(takeDispute(deal.admin, deal.id));
    expect(await marked()).toEqual([undefined, undefined]);
    await expectAccepted(writeAsMediator(deal.admin, deal.id, { words: "What did you hand over?" }));
    expect(await marked()).toEqual([undefined, undefined]);
    expect(await say("the code, at noon")).toMatchObject({ ok: true });
    expect(await marked()).toEqual(["seller", "seller"]);
    await expectAccepted(explainDispute(deal.buyer, deal.id, { reason: "it was used before" }));
    expect(await marked()).toEqual(["buyer", "buyer"]);
    await expectAccepted(writeAsMediator(deal.admin, deal.id, { words: "Thank you both." }));
    expect(await marked()).toEqual([undefined, undefined]);
  });
});
