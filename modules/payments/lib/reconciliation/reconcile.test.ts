import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { daySpan, daysAfter } from "#format";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { holdsOf } from "../holds/list-holds.ts";
import { resolveHold } from "../holds/resolve-hold.ts";
import { account, first, loggedOf, newBankReference, second } from "../ledger/money.fixture.ts";
import { reverseJournal } from "../ledger/reverse-journal.ts";
import { approvePayoutRecord } from "../payouts/approve-payout.ts";
import { markPayoutSent } from "../payouts/mark-payout-sent.ts";
import { checkInvoices } from "../provider/check-invoices.ts";
import { newReference, opened, useSandbox } from "../provider/provider.fixture.ts";
import type { Invoice } from "../provider/provider-types.ts";
import { recordManualPayment } from "../received/record-manual-payment.ts";
import { recordPayments } from "../received/record-payments.ts";
import { journalsTable, paymentsTable } from "../schema/money.ts";
import type { Difference } from "../schema/reconciliation.ts";
import { reconcileDay } from "./reconcile.ts";
import {
  daysWithOpenDifferences,
  differencesOf,
  findDifference,
  lastReconciliation,
  listReconciliationRuns,
  openDifferences,
  resolveDifference,
} from "./runs-and-differences.ts";

/** Differences planted between the real sandbox provider, called over HTTP, and Midman's ledger. */

useDatabase();
const sandbox = useSandbox();

let day = "2026-03-01";
let time = new Date();
let putBack: () => void;

/** Each test has its own day, at noon. */
beforeEach(() => {
  day = daysAfter(day, 1);
  time = new Date(`${day}T12:00:00+08:00`);
  putBack = setClock(() => time);
});
afterEach(() => putBack());

const hours = (count: number) => new Date(time.getTime() + count * 3_600_000);

async function billed(amount: number): Promise<Invoice> {
  return opened(newReference(), amount, time);
}

/** Pays at the provider without a callback to Midman. */
async function paidThere({ providerId }: Invoice, told: object = {}): Promise<string> {
  const { paymentIds } = await sandbox.pay(providerId, { callback: false, ...told });
  return paymentIds[0] ?? "";
}

async function bookedHere({ id, reference, amount }: Invoice, paymentId: string, sum = amount, at = time) {
  const row = { providerPaymentId: paymentId, invoiceId: id, amount: sum, paidAt: at };
  return runInTransaction((tx) => recordPayments(tx, { reference, rows: [row], owed: amount, at }));
}

async function both(amount: number, told: object = {}): Promise<string> {
  const invoice = await billed(amount);
  const paymentId = await paidThere(invoice, told);
  await bookedHere(invoice, paymentId);
  return paymentId;
}

async function run(at = time) {
  const done = await reconcileDay({ day, at, by: first });
  if (!done.ok) throw new Error(done.code);
  return done.run;
}

const found = async () => (await differencesOf(db(), day)).map(({ cause, state }) => `${cause} ${state}`);

test("two sides that agree have equal sums and no differences", async () => {
  await both(10_000);
  await both(25_000);
  await paidThere(await billed(7_000), { status: "FAILED" });
  await paidThere(await billed(7_000), { status: "NEW" });
  await paidThere(await billed(7_000), { status: "REFUNDED" });
  expect(await run()).toMatchObject({
    ...{ day, begunBy: first.userId, failure: null },
    ...{ thereCount: 2, thereSum: 35_000, hereCount: 2, hereSum: 35_000 },
    ...{ found: 0, opened: 0, vanished: 0 },
  });
  expect(await differencesOf(db(), day)).toEqual([]);
});

describe("a planted difference is found with its cause:", () => {
  test("paid there and not booked here", async () => {
    const invoice = await billed(10_000);
    const providerPaymentId = await paidThere(invoice);
    const { id, ...kept } = await run();
    const figures = {
      ...{ thereCount: 1, thereSum: 10_000, hereCount: 0, hereSum: 0 },
      ...{ found: 1, opened: 1, vanished: 0 },
    };
    expect(kept).toEqual({ ...figures, day, begunAt: time, begunBy: first.userId, failure: null });
    expect(await loggedOf("reconciliation", day)).toEqual([
      { action: "reconciliation.run", at: time, userId: first.userId, data: { run: id, ...figures } },
    ]);
    const [task] = await differencesOf(db(), day);
    const planted: Difference = {
      ...{ id: task?.id ?? 0, day, cause: "missing_here", subject: providerPaymentId, providerPaymentId },
      ...{ figures: "PAID 10000 -", thereAmount: 10_000, thereStatus: "PAID", hereAmount: null },
      ...{ paymentId: null, reference: invoice.reference, foundAt: time, seenAt: time },
      ...{ state: "open", closedAt: null, resolvedBy: null, note: null },
    };
    expect(await differencesOf(db(), day)).toEqual([planted]);
    expect(await findDifference(db(), planted.id)).toEqual(planted);
    expect(await openDifferences(db(), 1_000)).toContainEqual(planted);
  });

  test("booked here and unknown there", async () => {
    await bookedHere(await billed(10_000), crypto.randomUUID());
    expect(await run()).toMatchObject({ thereSum: 0, hereSum: 10_000, found: 1 });
    const [one] = await differencesOf(db(), day);
    expect(one).toMatchObject({
      ...{ cause: "missing_there", thereAmount: null, hereAmount: 10_000, figures: "- - 10000" },
    });
  });

  test("more differences than are written at once", async () => {
    const { providerId } = await billed(1_000);
    await db().execute(sql`
      INSERT INTO sandbox.payments (id, invoice_id, status, amount, currency, kind, paid_at)
      SELECT ${`${day}-`} || n, ${providerId}::uuid, 'PAID', 1_000, 'MNT', 'P2P', ${time.toISOString()}
      FROM generate_series(1, 1001) n`);
    expect(await run()).toMatchObject({ thereCount: 1_001, found: 1_001, opened: 1_001 });
    expect(await daysWithOpenDifferences(db())).toContainEqual({ day, open: 1_001 });
    expect(await differencesOf(db(), day)).toHaveLength(500);
    await db().execute(sql`DELETE FROM sandbox.payments WHERE paid_at = ${time.toISOString()}`);
    expect(await run(hours(1))).toMatchObject({ found: 0, vanished: 1_001 });
  });

  test("confirmed manually, and not shown there since", async () => {
    const by = {
      proposedBy: 901,
      confirmedBy: 902,
      relatedAdminIds: [902],
      bankReference: newBankReference(),
      proposedAt: time,
    };
    const hand = { reference: newReference(), amount: 5_000, owed: 5_000, at: time, paidAt: time, ...by };
    expect(await runInTransaction((tx) => recordManualPayment(tx, hand))).toMatchObject({ ok: true });
    await run();
    expect(await found()).toEqual(["by_hand open"]);
  });

  test("another amount, also by a fraction of a tugrik", async () => {
    const [one, other] = [await billed(10_000), await billed(20_000)];
    await bookedHere(one, await paidThere(one), 9_000);
    await bookedHere(other, await paidThere(other, { amount: 19_999.5 }));
    await run();
    const rows = await differencesOf(db(), day);
    expect(rows.map(({ cause, thereAmount, hereAmount }) => [cause, thereAmount, hereAmount])).toEqual([
      ["amount", 10_000, 9_000],
      ["amount", null, 20_000],
    ]);
  });

  test("another status", async () => {
    await both(10_000, { status: "FAILED" });
    await both(10_000, { status: "PARTIAL" });
    await run();
    expect(await found()).toEqual(["status open", "status open"]);
  });

  test("refunded there", async () => {
    await both(10_000, { status: "REFUNDED", kind: "CARD" });
    await run();
    expect(await found()).toEqual(["refunded_there open"]);
  });

  test("something that no rule can count", async () => {
    await paidThere(await billed(10_000), { currency: "USD" });
    await paidThere(await billed(10_000), { status: "PARTIAL" });
    expect(await run()).toMatchObject({ thereCount: 0, thereSum: 0, found: 2 });
    expect(await found()).toEqual(["uncountable open", "uncountable open"]);
    const rows = await differencesOf(db(), day);
    expect(rows.map(({ thereAmount, thereStatus }) => [thereAmount, thereStatus])).toEqual([
      [null, "PAID 10000.00 USD"],
      [10_000, "PARTIAL"],
    ]);
  });

  test("one invoice paid twice, until its second payment was refunded; two halves are no double", async () => {
    const invoice = await billed(10_000);
    await bookedHere(invoice, await paidThere(invoice));
    const again = await paidThere(invoice);
    const halves = await billed(8_000);
    await bookedHere(halves, await paidThere(halves, { amount: 4_000 }), 4_000);
    await bookedHere(halves, await paidThere(halves, { amount: 4_000 }), 4_000);
    await run();
    expect(await found()).toEqual(["duplicate open"]);
    const { refunds } = await bookedHere(invoice, again);
    await run(hours(1));
    expect(await found()).toEqual(["duplicate open", "duplicate vanished"]);
    const [refund] = refunds;
    if (refund === undefined) throw new Error("the second payment has no refund");
    await runInTransaction((tx) =>
      approvePayoutRecord(tx, { id: refund.id, destination: account, at: time, by: first }),
    );
    const sent = { id: refund.id, bankReference: newBankReference(), at: time, by: first };
    await runInTransaction((tx) => markPayoutSent(tx, sent));
    expect(await run(hours(2))).toMatchObject({ found: 0, vanished: 1, thereSum: 28_000, hereSum: 28_000 });
  });
});

describe("comparing a day again", () => {
  test("adds no duplicates, closes what has vanished, and reopens what returns", async () => {
    const invoice = await billed(10_000);
    const paymentId = await paidThere(invoice);
    await paidThere(await billed(3_000));
    await run();
    expect(await run(hours(1))).toMatchObject({ found: 2, opened: 0, vanished: 0 });
    expect(await daysWithOpenDifferences(db())).toContainEqual({ day, open: 2 });
    await bookedHere(invoice, paymentId);
    expect(await run(hours(2))).toMatchObject({ found: 1, opened: 0, vanished: 1 });
    expect(await found()).toEqual(["missing_here open", "missing_here vanished"]);
    expectMatch(await differencesOf(db(), day), [
      { foundAt: time, seenAt: hours(2), closedAt: null },
      { foundAt: time, seenAt: hours(1), closedAt: hours(2) },
    ]);
    // Even if the same difference comes back, it does not become a second task.
    await db().execute(sql`UPDATE payments.reconciliation_tasks SET state = 'vanished', closed_at = ${time.toISOString()}
      WHERE day = ${day} AND state = 'open'`);
    expect(await run(hours(3))).toMatchObject({ found: 1, opened: 1 });
    expectMatch(await differencesOf(db(), day), [
      { state: "open", foundAt: time, seenAt: hours(3), closedAt: null },
      { state: "vanished", closedAt: hours(2) },
    ]);
  });

  test("keeps a person's resolution while its figures are the same", async () => {
    const invoice = await billed(10_000);
    const paymentId = await paidThere(invoice);
    await run();
    const [task] = await differencesOf(db(), day);
    const word = { id: task?.id ?? 0, by: second, at: hours(1) };
    const resolve = (note: string) => runInTransaction((tx) => resolveDifference(tx, { ...word, note }));
    expect(await resolve("The payer was called")).toEqual({ ok: true, changed: true });
    expect(await resolve("Another word")).toEqual({ ok: true, changed: false });
    expect(await run(hours(2))).toMatchObject({ found: 1, opened: 0, vanished: 0 });
    expect((await loggedOf("reconciliation", day)).at(1)).toEqual({
      ...{ action: "reconciliation.resolved", at: hours(1), userId: second.userId },
      data: { difference: task?.id, cause: "missing_here", before: "open", after: "resolved" },
    });
    expectMatch(await differencesOf(db(), day), [
      {
        closedAt: hours(1),
        state: "resolved",
        note: "The payer was called",
        resolvedBy: second.userId,
        seenAt: hours(2),
      },
    ]);
    await bookedHere(invoice, paymentId, 4_000);
    expect(await run(hours(3))).toMatchObject({ found: 1, opened: 1 });
    expect(await found()).toEqual(["amount open", "missing_here resolved"]);
    const none = runInTransaction((tx) => resolveDifference(tx, { ...word, id: 999_999, note: "x" }));
    expect(await none).toEqual({ ok: false, code: "NOT_FOUND" });
  });

  test("in parallel equals once", async () => {
    await paidThere(await billed(10_000));
    await Promise.all([run(), run(), run(), run()]);
    expect(await found()).toEqual(["missing_here open"]);
  });

  test("ignores a response that is older than a stored run", async () => {
    const invoice = await billed(10_000);
    const paymentId = await paidThere(invoice);
    await bookedHere(invoice, paymentId);
    const kept = await run(hours(1));
    expect(await run()).toEqual(kept);
    expect(await lastReconciliation(db(), day)).toEqual(kept);
    expect(await lastReconciliation(db(), daysAfter(day, -1_000))).toBeNull();
    expect(await findDifference(db(), 999_999)).toBeNull();
    const again = await run(hours(2));
    expect(again.id).toBeGreaterThan(kept.id);
    expect(await lastReconciliation(db(), day)).toEqual(again);
    const page = async (input?: object) => (await listReconciliationRuns(db(), input)).map(({ id }) => id);
    expect(await page({ limit: 2 })).toEqual([again.id, kept.id]);
    expect(await page({ limit: 1, before: again.id })).toEqual([kept.id]);
    expect(await page({ limit: 0 })).toEqual([again.id]);
  });
});

test("a provider that does not answer is recorded, and no task changes", async () => {
  await paidThere(await billed(10_000));
  await run();
  await sandbox.told({ operation: "list", fail: 500, nextCalls: "all" });
  const failed = await reconcileDay({ day, at: hours(1), by: first });
  expect(failed).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
  const [last] = await listReconciliationRuns(db(), { limit: 1 });
  const unknown = { thereCount: null, thereSum: null, hereCount: null, hereSum: null };
  expect(last).toEqual({
    ...{ id: last?.id ?? 0, day, begunAt: hours(1), begunBy: first.userId, ...unknown },
    ...{ failure: "PROVIDER_UNAVAILABLE", found: null, opened: null, vanished: null },
  });
  expect((await loggedOf("reconciliation", day)).at(-1)).toEqual({
    ...{ action: "reconciliation.failed", at: hours(1), userId: first.userId },
    data: { run: last?.id, failure: "PROVIDER_UNAVAILABLE" },
  });
  expectMatch(await lastReconciliation(db(), day), { begunAt: time });
  expect(await found()).toEqual(["missing_here open"]);
});

test("a payment that the provider dates on the next day is no difference", async () => {
  const invoice = await billed(10_000);
  const night = new Date(daySpan(day).until.getTime() - 1_000);
  const noon = time;
  time = hours(13);
  const paymentId = await paidThere(invoice);
  time = noon;
  await bookedHere(invoice, paymentId, 10_000, night);
  expect(await run()).toMatchObject({ found: 0, thereSum: 0, hereSum: 0 });
  day = daysAfter(day, 1);
  expect(await run(hours(24))).toMatchObject({ found: 0, thereSum: 10_000, hereSum: 10_000 });
});

test("the provider is asked about a payment missing from its list, and without an answer the day is not compared", async () => {
  const invoice = await billed(10_000);
  await bookedHere(invoice, crypto.randomUUID());
  await sandbox.told({ operation: "payment", fail: 500, nextCalls: "all" });
  expect(await reconcileDay({ day, at: time, by: first })).toEqual({
    ok: false,
    code: "PROVIDER_UNAVAILABLE",
  });
  expect(await found()).toEqual([]);
  await sandbox.told({ reset: true });
  await run(hours(1));
  expect(await found()).toEqual(["missing_there open"]);
  expect(await sandbox.count("payment")).toBe(1);
});

test("a corrected payment no longer counts, and causes no call", async () => {
  const { booked } = await bookedHere(await billed(10_000), crypto.randomUUID());
  const [payment] = await db()
    .select({ id: journalsTable.id })
    .from(journalsTable)
    .innerJoin(paymentsTable, eq(paymentsTable.id, journalsTable.paymentId))
    .where(eq(paymentsTable.providerPaymentId, booked[0]?.providerPaymentId ?? ""));
  // The application has no function that does this: the database allows it only to its owner.
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`ALTER TABLE payments.journals DISABLE TRIGGER known_correction`);
    await reverseJournal(tx, payment?.id ?? 0, hours(1));
    await tx.execute(sql`SET CONSTRAINTS ALL IMMEDIATE`);
    await tx.execute(sql`ALTER TABLE payments.journals ENABLE TRIGGER known_correction`);
  });
  expect(await run(hours(1))).toMatchObject({ found: 0, hereCount: 0, hereSum: 0 });
  expect(await sandbox.count("payment")).toBe(0);
});

test("a row that a person has resolved is no difference", async () => {
  const invoice = await billed(10_000);
  await paidThere(invoice, { currency: "USD" });
  await checkInvoices(invoice.reference, time, { force: true });
  const [{ id } = { id: 0 }] = await holdsOf(db(), invoice.reference);
  await run();
  expect(await found()).toEqual(["uncountable open"]);
  const resolution = {
    id,
    by: second,
    outcome: "dismissed" as const,
    note: "sent back by its bank",
    at: time,
  };
  await runInTransaction((tx) => resolveHold(tx, resolution));
  await run(hours(1));
  expect(await found()).toEqual(["uncountable vanished"]);
});

test("the provider is not asked again about what it lists, nor about payments without a row", async () => {
  await both(10_000);
  const by = {
    proposedBy: 901,
    confirmedBy: 902,
    relatedAdminIds: [902],
    bankReference: newBankReference(),
    proposedAt: time,
  };
  const hand = { reference: newReference(), amount: 5_000, owed: 5_000, at: time, paidAt: time, ...by };
  await runInTransaction((tx) => recordManualPayment(tx, hand));
  expect(await run()).toMatchObject({ hereCount: 2, hereSum: 15_000, found: 1 });
  expect(await sandbox.count("payment")).toBe(0);
});

test("a trade's other payments reveal a second one, and those of other trades do not", async () => {
  const invoice = await billed(10_000);
  const before = time;
  await bookedHere(invoice, crypto.randomUUID());
  day = daysAfter(day, 1);
  time = hours(24);
  await paidThere(invoice);
  await paidThere(await billed(10_000));
  await run();
  expect((await found()).toSorted()).toEqual(["duplicate open", "missing_here open"]);
  time = before;
});

test("a day of several pages is read to its end", async () => {
  await sandbox.told({ pageLimit: 7 });
  const invoice = await billed(1_000);
  await sandbox.pay(invoice.providerId, { callback: false, payments: 30 });
  expect(await run()).toMatchObject({ thereCount: 30, thereSum: 30_000 });
});
