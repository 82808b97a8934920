import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db, runInTransaction, type Tx } from "#db/client";
import {
  approvePayoutRecord,
  createDuePayout,
  haltMoney,
  markPayoutDone,
  markPayoutSent,
  markPayoutUnknown,
  payoutsOf,
  recordPayments,
  resolveUnknownPayout,
  setDestination,
} from "#modules/payments";
import { approvePayout, sendPayout } from "../../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../../tests/support/expect-match.ts";
import { plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  createPaidTrade,
  expectAccepted,
  type PlantedTrade,
  type PlantedUser,
  runAtTime,
  sellerAccount,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { readInfoExchange } from "../../information/view.ts";
import { adminTrade } from "../transactions/transaction-view.ts";
import { workQueue } from "../work-queue/work-queue.ts";
import { claimPayoutAsAdmin, markPayoutUnknownAsAdmin, resolvePayoutAsAdmin } from "./payout-steps.ts";
import { listPayouts, type PayoutFilter, payoutPage } from "./payout-view.ts";

useDatabase();
useSandboxProvider();
afterEach(() => overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined }));

const whole = "5012345678";
const reason = "the bank's page broke off";
const reference = () => `FS${crypto.randomUUID().slice(0, 8)}`;

async function settling() {
  const deal = await createPaidTrade();
  await confirmByBoth(deal);
  const id = (await payoutsOf(db(), deal.id))[0]?.id ?? 0;
  return { ...deal, payout: id, second: await plantUser({ isAdmin: true, displayName: "Second" }) };
}

/** The payout's account number as one administrator reads it: in the work queue, on the trade's page, on its own page. */
async function read(who: PlantedUser, deal: PlantedTrade & { payout: number }) {
  const [work, trade, page] = await Promise.all([
    workQueue(who),
    adminTrade(who, deal.id),
    payoutPage(who, deal.payout),
  ]);
  if (!work.ok || !trade.ok || !page.ok) throw new Error("refused");
  const number = (of: { destination: { accountNumber: string } | null } | undefined) =>
    of?.destination?.accountNumber;
  return {
    queue: number(work.queue.payouts.find(({ id }) => id === deal.payout)),
    trade: number(trade.detail.payouts.find(({ id }) => id === deal.payout)),
    page: number(page.payout),
    whole: page.payout.whole,
  };
}

const lastFour = { queue: "••••5678", trade: "••••5678", page: "••••5678", whole: false };

describe("the account of a payout", () => {
  test("is shown completely on its page until it is approved, and not in lists or at its trade", async () => {
    const deal = await settling();
    for (const who of [deal.admin, deal.second]) {
      expect(await read(who, deal)).toEqual({ ...lastFour, page: whole, whole: true });
      expect(await expectAccepted(payoutPage(who, deal.payout))).toMatchObject({
        payout: { kind: "payout", payerBanks: [] },
      });
    }
  });

  test("is shown completely everywhere to the maker of the transfer, and to nobody else", async () => {
    const deal = await settling();
    await expectAccepted(approvePayout(deal.admin, deal.payout));
    expect(await read(deal.admin, deal)).toEqual({ queue: whole, trade: whole, page: whole, whole: true });
    expect(await read(deal.second, deal)).toEqual(lastFour);
    await expectAccepted(claimPayoutAsAdmin(deal.second, deal.payout, { from: deal.admin.userId }));
    expect(await read(deal.admin, deal)).toEqual(lastFour);
    expect(await read(deal.second, deal)).toMatchObject({ queue: whole, trade: whole, page: whole });
    await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, deal.payout, { reason }));
    expect(await read(deal.admin, deal)).toEqual(lastFour);
    expect(await read(deal.second, deal)).toMatchObject({ page: whole });
    await expectAccepted(
      resolvePayoutAsAdmin(deal.second, deal.payout, { outcome: "sent", bankReference: reference() }),
    );
    expect(await read(deal.admin, deal)).toMatchObject({ trade: "••••5678", page: "••••5678" });
    expect(await read(deal.second, deal)).toMatchObject({ trade: whole, page: whole });
  });

  test("is hidden while the amount waits for a second person, and while in doubt", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50_000 });
    const deal = await settling();
    await expectAccepted(approvePayout(deal.admin, deal.payout));
    for (const who of [deal.admin, deal.second]) expect(await read(who, deal)).toEqual(lastFour);
    await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, deal.payout, { reason }));
    for (const who of [deal.admin, deal.second]) expect(await read(who, deal)).toEqual(lastFour);
  });

  test("stays complete for its sender, even if another approved it", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50_000 });
    const deal = await settling();
    await expectAccepted(approvePayout(deal.admin, deal.payout));
    await expectAccepted(sendPayout(deal.second, deal.payout, { bankReference: reference() }));
    expect(await read(deal.admin, deal)).toMatchObject({ trade: "••••5678", page: "••••5678" });
    expect(await read(deal.second, deal)).toMatchObject({ trade: whole, page: whole });
  });

  test("is shown to the seller as entered; administrators see its last four digits beside the trade", async () => {
    const deal = await settling();
    await expectAccepted(approvePayout(deal.admin, deal.payout));
    const own = await readInfoExchange(deal.seller, deal.id);
    expect(own.ok && own.exchange.sellerInfo).toMatchObject({ accountNumber: whole });
    for (const who of [deal.admin, deal.second]) {
      const seen = await adminTrade(who, deal.id);
      expect(seen.ok && seen.detail.infoExchange.sellerInfo).toMatchObject({
        accountName: sellerAccount.accountName,
        accountNumber: "••••5678",
        phoneNumber: "••••2233",
        email: sellerAccount.email,
      });
    }
  });
});

const at = new Date("2026-11-21T09:00:00.000Z");
const minutes = (many: number) => new Date(at.getTime() + many * 60_000);
const iso = (many: number) => minutes(many).toISOString();
const nobody = 999_999;
const destination = { bankName: "Golomt Bank", accountName: "Dorj", accountNumber: "1105123456" };
const hidden = { ...destination, accountNumber: "••••3456" };

/** `twin` was recently made an administrator by `first`, and `shadow` by `namer`. */
let people: Record<"first" | "second" | "twin" | "namer" | "shadow", PlantedUser>;
beforeAll(async () => {
  const made = (displayName: string) => plantUser({ isAdmin: true, displayName });
  const [first, second, namer] = [await made("First"), await made("Second"), await made("Namer")];
  const [twin, shadow] = [await made("Twin"), await made("Shadow")];
  await db().execute(sql`
    INSERT INTO identity.admin_grants (made, by, at) VALUES (${twin.userId}, ${first.userId}, ${iso(-9)}::timestamptz),
      (${shadow.userId}, ${namer.userId}, ${iso(-9)}::timestamptz)`);
  people = { first, second, twin, namer, shadow };
});

const by = (userId: number) => ({ userId, relatedAdminIds: [userId], keepsRight: async () => true });
type Stepping = { ok: true; payout: { id: number } } | { ok: false; code: string };

/** Runs a step of a payout that must succeed, and returns the record's id. */
async function step(work: (tx: Tx) => Promise<Stepping>): Promise<number> {
  const done = await runInTransaction(work);
  if (!done.ok) throw new Error(done.code);
  return done.payout.id;
}

/** A cancelled trade with a refund of 110,000 due, and one of 5,000 overpaid where `excess` says so. */
async function refunding({ excess = 0, status = "cancelled" } = {}) {
  const planted = await plantTrade(status);
  const { id: reference, buyer } = planted;
  const ids = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID() };
  const row = { ...ids, amount: 110_000 + excess, paidAt: at, payerBank: "050000" };
  await runInTransaction((tx) => recordPayments(tx, { reference, rows: [row], owed: 110_000, at }));
  const due = { reference, kind: "refund", amount: 100_000, fee: 10_000, recipientId: buyer.userId } as const;
  const refund = await step((tx) =>
    createDuePayout(tx, { ...due, dueAt: minutes(180), at: minutes(1), by: { userId: null } }),
  );
  return { ...planted, refund };
}

const pageAt = async (moment: Date, reader: PlantedUser, id: number) => {
  const found = await runAtTime(moment, () => payoutPage(reader, id));
  if (!found.ok) throw new Error(found.code);
  return found.payout;
};
const pageOf = (reader: PlantedUser, id: number) => pageAt(minutes(60), reader, id);

describe("the page of a payout or refund", () => {
  type Refunding = Awaited<ReturnType<typeof refunding>>;
  const untouched = ({ id, code, buyer, refund }: Refunding) => ({
    ...{ id: refund, kind: "refund", amount: 100_000, fee: 10_000, state: "due", destination: null },
    ...{ bankReference: null, referenceMissing: false, reason: null, suspense: false, whole: true },
    ...{ destinationDigest: "", named: null, mayName: false },
    transaction: { id, code, status: "cancelled" },
    recipient: { id: buyer.userId, displayName: "Bat Erdene", username: buyer.username },
    ...{ payerBanks: ["050000"], dueAt: iso(180), overdue: false },
    moments: [{ what: "created", at: iso(1), by: null }],
    ...{ fourEyes: null, sender: null, replaces: null, replacedBy: null },
    ...{ ownTrade: false, holds: [], halted: false, serverTime: iso(60) },
    ...{ remark: `${code}-1`, correction: null, approvalLapsed: false, reported: null, barred: null },
    leftBeforeHalt: false,
  });

  test("shows everything that a person needs to send it, from beginning to end", async () => {
    const { first, second, namer, shadow } = people;
    const deal = await refunding();
    const { refund: id } = deal;
    const start = untouched(deal);
    expect(await pageOf(first, id)).toEqual(start as never);
    const own = { ...deal.buyer, isAdmin: true };
    expect(await pageAt(minutes(180), own, id)).toMatchObject({ overdue: true, ownTrade: true });

    const naming = { id, destination, reason: "they are abroad" };
    await step((tx) => setDestination(tx, { ...naming, at: minutes(2), by: by(namer.userId) }));
    const digest = expect.stringMatching(/^[\w-]{43}$/);
    const named = { by: "Namer", reason: "they are abroad", own: false, related: false };
    const due = {
      ...{ ...start, destination, destinationDigest: digest, named, mayName: true },
      moments: [...start.moments, { what: "named", at: iso(2), by: "Namer" }],
    };
    expect(await pageOf(first, id)).toEqual(due as never);
    expect(await pageOf(namer, id)).toEqual({ ...due, named: { ...named, own: true } } as never);
    expect(await pageOf(shadow, id)).toEqual({ ...due, named: { ...named, related: true } } as never);

    await step((tx) => approvePayoutRecord(tx, { id, at: minutes(3), by: by(first.userId) }));
    const sender = { id: first.userId, displayName: "First", since: iso(3) };
    const approved = {
      ...{ ...due, state: "approved", mayName: false, sender: { ...sender, own: true, note: null } },
      moments: [...due.moments, { what: "approved", at: iso(3), by: "First" }],
    };
    expect(await pageOf(first, id)).toEqual(approved as never);
    const others = { destination: hidden, whole: false, sender: { ...sender, own: false, note: null } };
    expect(await pageOf(second, id)).toEqual({ ...approved, ...others } as never);

    const reason = "the bank's page broke off";
    await step((tx) => markPayoutUnknown(tx, { id, reason, at: minutes(4), by: by(second.userId) }));
    const doubt = {
      ...{ ...approved, state: "unknown", reason, holds: ["TRANSFER_IN_DOUBT"] },
      moments: [...approved.moments, { what: "unknown", at: iso(4), by: "Second" }],
    };
    expect(await pageOf(first, id)).toEqual(doubt as never);

    const found = { outcome: "sent", bankReference: reference() } as const;
    await step((tx) => resolveUnknownPayout(tx, { id, ...found, at: minutes(5), by: by(first.userId) }));
    await step((tx) => markPayoutDone(tx, { id, at: minutes(6), by: by(nobody) }));
    const end = await pageAt(minutes(180), first, id);
    const { bankReference } = end;
    expect(bankReference).toBe(found.bankReference.toUpperCase());
    expect(end).toEqual({
      ...{ ...doubt, state: "done", holds: [], bankReference, sender: null, serverTime: iso(180) },
      moments: [
        ...doubt.moments,
        { what: "sent", at: iso(5), by: "First" },
        { what: "done", at: iso(6), by: null },
      ],
    } as never);
    await db().execute(sql`
      UPDATE payments.payouts SET erased_at = now(), destination = NULL, named_reason = NULL, reason = NULL WHERE id = ${id}`);
    expect((await pageOf(first, id)).named).toEqual({ ...named, reason: "" });
  });

  test("for one that was never sent shows who withdrew it, and what replaced it", async () => {
    const { first, second } = people;
    const deal = await refunding();
    const { refund: id } = deal;
    await step((tx) => setDestination(tx, { id, destination, at: minutes(2), by: by(deal.buyer.userId) }));
    await step((tx) => approvePayoutRecord(tx, { id, at: minutes(3), by: by(first.userId) }));
    await step((tx) =>
      markPayoutUnknown(tx, { id, reason: "it broke off", at: minutes(4), by: by(first.userId) }),
    );
    const found = { outcome: "not_sent", reason: "never left" } as const;
    const other = await step((tx) =>
      resolveUnknownPayout(tx, { id, ...found, at: minutes(5), by: by(first.userId) }),
    );
    const gone = await pageAt(minutes(400), second, id);
    expect(gone).toMatchObject({
      state: "void",
      overdue: false,
      replaces: null,
      replacedBy: other,
      sender: null,
    });
    expect(gone.moments).toEqual([
      { what: "created", at: iso(1), by: null },
      { what: "approved", at: iso(3), by: "First" },
      { what: "unknown", at: iso(4), by: "First" },
      { what: "void", at: iso(5), by: "First" },
    ]);
    expect(await pageOf(second, other)).toMatchObject({ state: "due", replaces: id, replacedBy: null });
  });

  test("shows whether two people must check it, and which of them the reader is", async () => {
    const { first, second, twin } = people;
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 99_999 });
    const { refund: id, buyer } = await refunding();
    await step((tx) => setDestination(tx, { id, destination, at: minutes(2), by: by(buyer.userId) }));
    const eyes = async (reader: PlantedUser) => (await pageOf(reader, id)).fourEyes;
    const both = { above: 99_999, approvedByReader: false, related: false };
    expect(await eyes(twin)).toEqual(both);
    await step((tx) => approvePayoutRecord(tx, { id, at: minutes(3), by: by(first.userId) }));
    expect(await eyes(first)).toEqual({ ...both, approvedByReader: true });
    expect(await eyes(twin)).toEqual({ ...both, related: true });
    expect(await eyes(second)).toEqual(both);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined });
    expect(await eyes(second)).toEqual({ ...both, above: null });
  });

  test("for money without a trade names no recipient; a halt is shown on every page", async () => {
    const { first } = people;
    const deal = await refunding({ excess: 5_000 });
    const id = (await payoutsOf(db(), deal.id)).find(({ source }) => source !== "escrow")?.id ?? 0;
    const turn = (on: boolean) => haltMoney({ on, reason: "a test", at, by: { userId: first.userId } });
    await turn(true);
    const seen = await pageOf(first, id);
    const listed = await listPayouts(first);
    await turn(false);
    expect(seen).toMatchObject({
      suspense: true,
      recipient: null,
      amount: 5_000,
      halted: true,
      replacedBy: null,
    });
    expect(listed).toMatchObject({ ok: true, halted: true });
    expect((await pageOf(first, id)).halted).toBe(false);
  });

  test("has an account that administrators may enter once the buyer's deadline has passed", async () => {
    const { first } = people;
    const { id: trade, refund } = await refunding();
    await db().execute(sql`
      INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at)
      VALUES (${trade}, 'refund_account', 'running', ${iso(0)}::timestamptz, ${iso(30)}::timestamptz)`);
    expect((await pageAt(minutes(29), first, refund)).mayName).toBe(false);
    expect((await pageAt(minutes(30), first, refund)).mayName).toBe(true);
  });

  test("does not exist without the payout, or for anyone else; a record of no trade is a bug", async () => {
    const { first } = people;
    const { id, refund, buyer } = await refunding();
    const [payout] = await db().execute<{ id: string }>(sql`
      INSERT INTO payments.payouts (reference, kind, source, amount, fee, due_at, created_at)
      VALUES (${id}, 'payout', 'escrow', 5, 0, now(), now()) RETURNING id`);
    expect(await pageOf(first, Number(payout?.id))).toMatchObject({ kind: "payout", payerBanks: [] });
    expect(await payoutPage(buyer, refund)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    for (const none of [nobody, 0, Number.NaN]) {
      expect(await payoutPage(first, none)).toEqual({ ok: false, code: "PAYOUT_NOT_FOUND" });
    }
    const [stray] = await plantDue(1);
    await expect(payoutPage(first, stray ?? 0)).rejects.toThrow(`payout ${stray} is of no trade`);
  });
});

let days = 0;
/** Plants `count` due payouts of trades that do not exist, due before all others and one second apart; returns their ids. */
async function plantDue(count: number): Promise<number[]> {
  const rows = await db().execute<{ id: string }>(sql`
    INSERT INTO payments.payouts (reference, kind, source, amount, fee, state, due_at, created_at)
    SELECT 9000000 + 1000 * ${++days}::int + n, 'payout', 'escrow', 100, 0, 'due',
      '2001-01-01'::timestamptz - ${days}::int * interval '1 day' + n * interval '1 second', now()
    FROM generate_series(1, ${count}::int) AS n RETURNING id`);
  return rows.map(({ id }) => Number(id));
}

describe("the list of payouts and refunds", () => {
  const listed = async (filter?: PayoutFilter, moment = minutes(60)) => {
    const found = await runAtTime(moment, () => listPayouts(people.first, filter));
    if (!found.ok) throw new Error(found.code);
    return found;
  };
  const rowOf = async (id: number, state: PayoutFilter["state"], moment?: Date) =>
    (await listed({ state, beyond: id + 1 }, moment)).payouts[0];

  test("shows each record's kind, owner, destination and maker", async () => {
    const { first, second } = people;
    const deal = await refunding({ excess: 5_000 });
    const [{ id, code, refund }, excess] = [deal, (await payoutsOf(db(), deal.id))[0]?.id ?? 0];
    const plain = { id: refund, kind: "refund", amount: 100_000, state: "due", referenceMissing: false };
    const row = {
      ...{ ...plain, suspense: false, transaction: { id, code }, recipient: "Bat Erdene", sender: null },
      ...{ bankName: null, account: null, dueAt: iso(180), sentAt: null, overdue: false },
    };
    expect(await rowOf(refund, "due", minutes(179))).toEqual(row as never);
    expect(await rowOf(refund, "due", minutes(180))).toEqual({ ...row, overdue: true } as never);
    expect(await rowOf(excess, "due")).toMatchObject({ id: excess, suspense: true, recipient: null });
    await step((tx) => setDestination(tx, { id: refund, destination, at, by: by(deal.buyer.userId) }));
    await step((tx) => approvePayoutRecord(tx, { id: refund, at: minutes(3), by: by(first.userId) }));
    const sender = { id: first.userId, displayName: "First", since: iso(3) };
    const where = { bankName: "Golomt Bank", account: "••••3456" };
    expect(await rowOf(refund, "approved")).toEqual({ ...row, ...where, state: "approved", sender } as never);
    await step((tx) =>
      markPayoutSent(tx, { id: refund, bankReference: reference(), at: minutes(4), by: by(first.userId) }),
    );
    const sent = await rowOf(refund, "sent", minutes(600_000));
    expectMatch(sent, { state: "sent", sender: null, sentAt: expect.any(String), overdue: false });
    expect(await listPayouts({ ...second, isAdmin: false })).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });

  test("shows no name of a recipient who is gone, and marks no void record as late", async () => {
    const deal = await refunding({ status: "settlement_pending" });
    const { id: reference, refund: id } = deal;
    await db().execute(sql`
      UPDATE payments.payouts SET state = 'void', voided_at = now(), reason = 'a test' WHERE id = ${id}`);
    expect(await rowOf(id, "void", minutes(999))).toMatchObject({ id, state: "void", overdue: false });
    const made = { reference, kind: "refund", amount: 100_000, fee: 10_000, recipientId: nobody } as const;
    const other = await step((tx) =>
      createDuePayout(tx, { ...made, dueAt: minutes(180), at: minutes(1), by: { userId: null } }),
    );
    expect(await rowOf(other, "due")).toMatchObject({ id: other, recipient: null });
  });

  test("starts with what is due first, twenty-five per page", async () => {
    const ids = await plantDue(27);
    const page = async (filter: PayoutFilter) => {
      const { payouts, next, halted, serverTime } = await listed(filter);
      return { ids: payouts.map(({ id }) => id), next, halted, serverTime };
    };
    const rest = { halted: false, serverTime: iso(60) };
    expect(await page({})).toEqual({ ids: ids.slice(0, 25), next: ids[24] ?? 0, ...rest });
    expect((await page({ beyond: ids[24] })).ids.slice(0, 2)).toEqual(ids.slice(25));
    expect((await listed()).payouts[0]).toMatchObject({ id: ids[0] ?? 0, transaction: { code: "" } });
    const due = await db().execute<{ id: string }>(
      sql`SELECT id FROM payments.payouts WHERE state = 'due' ORDER BY id LIMIT 27`,
    );
    const oldest = due.map(({ id }) => Number(id));
    const first25 = { ids: oldest.slice(0, 25).reverse(), next: null };
    expect(await page({ state: "due", beyond: oldest[25] })).toEqual({ ...first25, ...rest });
    const full = { ids: oldest.slice(1, 26).reverse(), next: oldest[1] ?? 0 };
    expect(await page({ state: "due", beyond: oldest[26] })).toEqual({ ...full, ...rest });
  });
});
