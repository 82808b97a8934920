import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { listEntries } from "#modules/audit";
import { setAdmin } from "#modules/identity";
import { ownerDatabase, useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { grantAnew, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  type PlantedUser,
  readNoticeCodes,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { loadTrade } from "../../core/load-trade.ts";
import { adminCancel } from "../transactions/administrator-commands.ts";
import { adminTrade } from "../transactions/transaction-view.ts";
import { workQueue } from "../work-queue/work-queue.ts";
import { confirmManualPayment } from "./confirm.ts";
import { discardManualPayment } from "./discard.ts";

useDatabase();
useSandboxProvider();

let slips = 0;
const newSlip = () => ({ amount: 110_000, reference: `ASIDE ${++slips}` });
const because = "Entered at the wrong transaction";

async function byHand(reader: PlantedUser, deal: { id: number }) {
  const found = await adminTrade(reader, deal.id);
  if (!found.ok) throw new Error(found.code);
  return found.detail.byHand;
}

async function proposed(deal: PlantedTrade, slip = newSlip(), who = deal.admin): Promise<number> {
  await expectAccepted(confirmManualPayment(who, deal.id, slip));
  return (await byHand(who, deal)).open?.id ?? 0;
}

async function queued(reader: PlantedUser, deal: { id: number }) {
  const found = await workQueue(reader);
  if (!found.ok) throw new Error(found.code);
  return found.queue.handConfirmations.filter(({ transactionId }) => transactionId === deal.id);
}

const entries = async (deal: { id: number }) =>
  (await listEntries({ subject: { kind: "transaction", id: deal.id }, limit: 50 })).entries;

describe("a proposed manual payment", () => {
  test("is discarded by its proposer with a reason, leaves the work queue, and its bank reference can be used again", async () => {
    const [deal, right] = [await createInvoicedTrade(), await createInvoicedTrade()];
    const slip = newSlip();
    const proposal = await proposed(deal, slip);
    expect(await queued(deal.admin, deal)).toHaveLength(1);
    expect(await confirmManualPayment(deal.admin, right.id, slip)).toMatchObject({
      code: "BANK_REFERENCE_USED",
    });
    const done = await expectAccepted(
      discardManualPayment(deal.admin, deal.id, { proposal, reason: because }),
    );
    expect(done).toMatchObject({ changed: true, trade: { status: "payment_initiated" } });
    expect(await queued(deal.admin, deal)).toEqual([]);
    expect(await byHand(right.admin, deal)).toMatchObject({ open: null, laidAside: [{ reason: because }] });
    await proposed(right, slip);
    await expectAccepted(confirmManualPayment(deal.admin, right.id, slip));
    expect(await moneyOf(right)).toMatchObject({ held: 110_000 });
    const [entry] = await entries(deal);
    expect(entry).toMatchObject({
      action: "transaction.lay_aside_by_hand",
      userId: deal.admin.userId,
      data: { proposal, proposedBy: deal.admin.userId, before: "proposed", after: "laid_aside" },
    });
    expect(JSON.stringify(entry)).not.toContain(because);
  });

  test("for an ended transaction that QPay paid is found by its bank reference, and discarded there", async () => {
    const [wrong, right] = [await createPaidTrade(), await createInvoicedTrade()];
    const slip = newSlip();
    const proposal = await proposed(wrong, slip);
    await expectAccepted(adminCancel(wrong.admin, wrong.id));
    expect(await queued(wrong.admin, wrong)).toEqual([]);
    const code = (await loadTrade(wrong.id))?.code;
    const elsewhere = (textKey: string) => ({ code: "BANK_REFERENCE_USED", textKey, params: { code } });
    expect(await confirmManualPayment(right.admin, right.id, slip)).toMatchObject(
      elsewhere("admin.byHandPage.slipEntered"),
    );
    await expectAccepted(discardManualPayment(right.admin, wrong.id, { proposal, reason: because }));
    await proposed(right, slip);
    await expectAccepted(confirmManualPayment(await plantUser({ isAdmin: true }), right.id, slip));
    expect(await confirmManualPayment(right.admin, wrong.id, slip)).toMatchObject({
      ...elsewhere("admin.byHandPage.slipConfirmed"),
      params: { code: (await loadTrade(right.id))?.code },
    });
  });

  test("is discarded once, also by two at the same moment, and by any other administrator", async () => {
    const deal = await createInvoicedTrade();
    const proposal = await proposed(deal);
    const others = [await plantUser({ isAdmin: true }), await plantUser({ isAdmin: true })];
    const done = await Promise.all(
      others.map((who) => expectAccepted(discardManualPayment(who, deal.id, { proposal, reason: because }))),
    );
    expect(done.map(({ changed }) => changed).sort()).toEqual([false, true]);
    const again = await expectAccepted(
      discardManualPayment(deal.admin, deal.id, { proposal, reason: "another" }),
    );
    expect(again.changed).toBe(false);
    expect((await byHand(deal.admin, deal)).laidAside).toMatchObject([{ reason: because }]);
    expect((await entries(deal)).filter(({ action }) => action.endsWith("lay_aside_by_hand"))).toHaveLength(
      1,
    );
  });

  test("that is confirmed, or was corrected since it was shown, cannot be discarded", async () => {
    const deal = await createInvoicedTrade();
    const seen = await proposed(deal);
    const slip = newSlip();
    const corrected = await proposed(deal, slip);
    expect(corrected).not.toBe(seen);
    const second = await plantUser({ isAdmin: true });
    const aside = (proposal: number) => discardManualPayment(second, deal.id, { proposal, reason: because });
    expect(await aside(seen)).toMatchObject({ code: "PROPOSAL_CHANGED" });
    expect((await byHand(second, deal)).laidAside).toEqual([]);
    await expectAccepted(confirmManualPayment(second, deal.id, slip));
    expect(await aside(corrected)).toMatchObject({ code: "PROPOSAL_CHANGED" });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
  });

  test("is refused to a party, to people who are not administrators, and for another transaction", async () => {
    const [deal, other] = [await createInvoicedTrade(), await createInvoicedTrade()];
    const proposal = await proposed(deal);
    const input = { proposal, reason: because };
    expect(await discardManualPayment(deal.buyer, deal.id, input)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await discardManualPayment({ ...deal.buyer, isAdmin: true }, deal.id, input)).toMatchObject({
      code: "OWN_TRADE",
    });
    expect(await discardManualPayment(deal.admin, other.id, input)).toMatchObject({ code: "NOT_FOUND" });
    expect(await discardManualPayment(deal.admin, 999_999, input)).toMatchObject({
      code: "TRANSACTION_NOT_FOUND",
    });
    expect(await queued(deal.admin, deal)).toHaveLength(1);
  });

  test("is not shown with its reasons to an administrator who is a party", async () => {
    const deal = await createInvoicedTrade();
    const proposal = await proposed(deal);
    await expectAccepted(discardManualPayment(deal.admin, deal.id, { proposal, reason: because }));
    await proposed(deal);
    expect(await byHand(deal.admin, deal)).toMatchObject({ open: {}, laidAside: [{ reason: because }] });
    for (const party of [deal.buyer, deal.seller]) {
      expect(await byHand({ ...party, isAdmin: true }, deal)).toEqual({ open: null, laidAside: [] });
    }
  });

  test("open, confirmed or discarded, keeps what was entered; none can be deleted or reassigned", async () => {
    const deal = await createInvoicedTrade();
    const slip = newSlip();
    const [aside, id] = [await proposed(deal), await proposed(deal, slip)];
    expect(await refusedTo(sql`UPDATE ${table} SET proposed_by = 1 WHERE id = ${id}`)).toBe(kept(id));
    expect(await refusedTo(sql`UPDATE ${table} SET amount = 1 WHERE id = ${id}`)).toBe(kept(id));
    expect(await refusedTo(sql`DELETE FROM ${table} WHERE id = ${id}`)).toBe(kept(id));
    await expectAccepted(confirmManualPayment(await plantUser({ isAdmin: true }), deal.id, slip));
    for (const one of [aside, id]) {
      for (const attempt of [
        sql`UPDATE ${table} SET amount = 1 WHERE id = ${one}`,
        sql`UPDATE ${table} SET bank_reference = 'X' WHERE id = ${one}`,
        sql`DELETE FROM ${table} WHERE id = ${one}`,
      ]) {
        expect(await refusedTo(attempt)).toBe(kept(one));
      }
    }
  });
});

const table = sql`escrow.hand_confirmations`;
const kept = (id: number) => `proposal ${id} keeps what was entered`;
const refusedTo = (attempt: SQL) =>
  ownerDatabase()
    .execute(attempt)
    .then(
      () => "nothing",
      ({ cause }: { cause: Error }) => cause.message,
    );

test("administrators cannot read the first one's figures until a second has entered the same", async () => {
  const deal = await createInvoicedTrade(77_777);
  const [wrong, slip] = [
    { amount: 88_888, reference: "TOLD NOBODY 1" },
    { amount: 99_999, reference: "TOLD NOBODY 2" },
  ];
  const [before, after] = [await proposed(deal, wrong), await proposed(deal, slip)];
  const second = await plantUser({ isAdmin: true });
  const read = async () =>
    JSON.stringify([await queued(second, deal), await adminTrade(second, deal.id), await entries(deal)]);
  const secrets = /\b88,?888\b|\b99,?999\b|TOLD NOBODY/;
  expect(await read()).not.toMatch(secrets);
  expect(await entries(deal)).toMatchObject([
    { action: "transaction.propose_by_hand", data: { before, after } },
    { action: "transaction.propose_by_hand", data: { before: null, after: before } },
    {},
    {},
  ]);
  for (const differs of [{ ...slip, amount: 99_998 }, { ...slip, reference: "TOLD NOBODY 22" }, wrong]) {
    expect(await confirmManualPayment(second, deal.id, differs)).toMatchObject({ code: "PROPOSAL_DIFFERS" });
  }
  await expectAccepted(discardManualPayment(second, deal.id, { proposal: after, reason: because }));
  expect(await read()).not.toMatch(secrets);
  await proposed(deal, slip);
  await expectAccepted(confirmManualPayment(second, deal.id, { ...slip, reference: " told nobody 2 " }));
  expect(await read()).toMatch(secrets);
});

describe("a proposal whose proposer is no longer an administrator", () => {
  test("is not booked even when they are one again, until they enter it again", async () => {
    const deal = await createInvoicedTrade();
    const slip = newSlip();
    await proposed(deal, slip);
    await grantAnew(deal.admin.userId);
    const second = await plantUser({ isAdmin: true });
    expect(await confirmManualPayment(second, deal.id, slip)).toMatchObject({ code: "PROPOSER_NOT_ADMIN" });
    expect((await byHand(deal.admin, deal)).open).toMatchObject({
      own: true,
      obstacle: "PROPOSER_NOT_ADMIN",
    });
    expect(await expectAccepted(confirmManualPayment(deal.admin, deal.id, slip))).toMatchObject({
      changed: true,
      state: "proposed",
    });
    expect(await expectAccepted(confirmManualPayment(second, deal.id, slip))).toMatchObject({
      state: "confirmed",
    });
  });

  test("is not booked until it is discarded and entered again", async () => {
    const deal = await createInvoicedTrade();
    const slip = newSlip();
    const proposal = await proposed(deal, slip);
    await db().execute(sql`UPDATE identity.users SET is_admin = false WHERE id = ${deal.admin.userId}`);
    const [second, third] = [await plantUser({ isAdmin: true }), await plantUser({ isAdmin: true })];
    expect(await confirmManualPayment(second, deal.id, slip)).toMatchObject({ code: "PROPOSER_NOT_ADMIN" });
    expect((await byHand(second, deal)).open).toMatchObject({ obstacle: "PROPOSER_NOT_ADMIN" });
    expect(await moneyOf(deal)).toMatchObject({ held: 0 });
    await expectAccepted(discardManualPayment(second, deal.id, { proposal, reason: because }));
    await proposed(deal, slip, second);
    expect(await expectAccepted(confirmManualPayment(third, deal.id, slip))).toMatchObject({
      state: "confirmed",
    });
  });
});

test("an administrator related to the proposer is told so before entering anything", async () => {
  const deal = await createInvoicedTrade();
  const slip = newSlip();
  const proposal = await proposed(deal, slip);
  const made = { ...(await plantUser()), isAdmin: true };
  expect(await setAdmin(deal.admin, made.userId, true)).toEqual({ ok: true });
  const stranger = await plantUser({ isAdmin: true });
  const seen = async (who: PlantedUser) => [
    (await byHand(who, deal)).open,
    (await queued(who, deal))[0]?.proposal,
  ];
  const shown = (own: boolean, obstacle: string | null) => Array(2).fill({ id: proposal, own, obstacle });
  expect(await seen(made)).toMatchObject(shown(false, "FOUR_EYES_RELATED"));
  expect(await seen(stranger)).toMatchObject(shown(false, null));
  expect(await seen(deal.admin)).toMatchObject(shown(true, null));
  // The answer is the same whatever they enter, so trying reveals nothing about the figures.
  for (const tried of [slip, { ...slip, amount: 1 }]) {
    expect(await confirmManualPayment(made, deal.id, tried)).toMatchObject({ code: "FOUR_EYES_RELATED" });
  }
});

describe("for an ended transaction", () => {
  test("that was paid, no proposal waits, unless it was entered after the end", async () => {
    const deal = await createPaidTrade();
    await proposed(deal);
    expect(await queued(deal.admin, deal)).toHaveLength(1);
    await expectAccepted(adminCancel(deal.admin, deal.id));
    expect(await queued(deal.admin, deal)).toEqual([]);
    await proposed(deal, newSlip());
    expect(await queued(deal.admin, deal)).toHaveLength(1);
  });

  test("in which nothing was paid, a proposal waits: the money may be the buyer's", async () => {
    const deal = await createInvoicedTrade();
    const slip = newSlip();
    await proposed(deal, slip);
    await expectAccepted(adminCancel(deal.admin, deal.id));
    expect(await queued(deal.admin, deal)).toHaveLength(1);
    const second = await plantUser({ isAdmin: true });
    await expectAccepted(confirmManualPayment(second, deal.id, slip));
    expect(await moneyOf(deal)).toMatchObject({ held: 0, suspense: 110_000 });
  });
});

describe("a payment that two administrators saw", () => {
  const confirmedBy = (deal: PlantedTrade, who: PlantedUser, slip: { amount: number; reference: string }) =>
    expectAccepted(confirmManualPayment(who, deal.id, slip));
  const someone = () => plantUser({ isAdmin: true, displayName: "Second" });

  test("is proposed, corrected by either figure, and booked once; the log records who saw what", async () => {
    const [deal, second, slip] = [await createInvoicedTrade(), await someone(), newSlip()];
    const stale = { ...deal.admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    expect(await confirmManualPayment(stale, deal.id, slip)).toEqual({ ok: false, code: "REAUTH_REQUIRED" });
    const wrong = [
      { ...slip, amount: 1 },
      { amount: 1, reference: `${slip.reference} OTHER` },
    ];
    for (const one of [...wrong, slip]) {
      for (const changed of [true, false]) {
        expect(await confirmedBy(deal, deal.admin, one)).toMatchObject({ changed, state: "proposed" });
      }
    }
    const { id: proposal } = (await byHand(second, deal)).open ?? {};
    const done = await confirmedBy(deal, second, slip);
    expect(done).toMatchObject({ ok: true, changed: true, state: "confirmed" });
    expect(done.trade).toMatchObject({ status: "payment_confirmed", held: 110_000 });
    for (const who of [deal.admin, second]) {
      expect(await confirmedBy(deal, who, slip)).toMatchObject({ changed: false, state: "confirmed" });
      expect(await confirmManualPayment(who, deal.id, { ...slip, amount: 1 })).toEqual({
        ...{ ok: false, code: "BANK_REFERENCE_USED", current: "payment_confirmed" },
      });
    }
    const said = (await entries(deal)).filter(({ action }) => action.endsWith(".confirm_by_hand"));
    const data = { proposal, amount: 110_000, bankReference: slip.reference };
    expect(said).toMatchObject([
      { userId: second.userId, data: { ...data, proposedBy: deal.admin.userId, confirmedBy: second.userId } },
    ]);
    expect(await moneyOf(deal)).toEqual({ held: 110_000, suspense: 0, records: [] });
    expect(await readNoticeCodes(deal)).not.toContain("excessReceived");
    const tasks = await db().execute<{ task: string }>(sql`
      SELECT data ->> 'task' AS task FROM mailer.messages WHERE data ->> 'url' = ${`/admin/transactions/${deal.id}`}`);
    expect(tasks.map(({ task }) => task)).not.toContain("excess");
  });

  test("and that was too little is kept until the rest arrives", async () => {
    const [deal, second] = [await createInvoicedTrade(), await someone()];
    const told = [];
    for (const amount of [60_000, 50_000]) {
      const slip = { ...newSlip(), amount };
      await confirmedBy(deal, deal.admin, slip);
      const { trade } = await confirmedBy(deal, second, slip);
      told.push([trade.status, trade.held]);
    }
    expect(told).toEqual([
      ["payment_processing", 60_000],
      ["payment_confirmed", 110_000],
    ]);
  });

  test("and that was too much is held up to what is owed; the rest goes to suspense, with a refund and a notice", async () => {
    const [deal, second] = [await createInvoicedTrade(), await someone()];
    const slip = { ...newSlip(), amount: 120_000 };
    await confirmedBy(deal, deal.admin, slip);
    expect((await confirmedBy(deal, second, slip)).trade).toMatchObject({ held: 110_000 });
    expect(await moneyOf(deal)).toEqual({
      ...{ held: 110_000, suspense: 10_000, records: ["refund 10000+0 suspense due"] },
    });
    expect((await readNoticeCodes(deal)).filter((code) => code === "excessReceived")).toHaveLength(1);
  });

  test("is shown with its proposer, and once discarded with who did it, when and why", async () => {
    const [deal, second] = [await createInvoicedTrade(), await someone()];
    const first = await plantUser({ isAdmin: true, displayName: "First" });
    const proposal = await proposed(deal, newSlip(), first);
    expect(await byHand(second, deal)).toEqual({
      open: { id: proposal, by: "First", own: false, obstacle: null },
      laidAside: [],
    });
    await expectAccepted(discardManualPayment(second, deal.id, { proposal, reason: because }));
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(await byHand(first, deal)).toEqual({
      open: null,
      laidAside: [{ id: proposal, by: "First", asideBy: "Second", at, reason: because }],
    });
  });
});
