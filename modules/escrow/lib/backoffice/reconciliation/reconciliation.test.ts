import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { formatDay as dayOf, daySpan, daysAfter } from "#format";
import { listEntries } from "#modules/audit";
import { differencesOf, paymentsOf } from "#modules/payments";
import { ownerDatabase, useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../../tests/support/expect-match.ts";
import { type PlantedMember, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  createInvoicedTrade,
  createRequestedTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { tradeNow } from "../../core/trade.fixture.ts";
import {
  askAboutDifference,
  readReconciliation,
  runReconciliation,
  settleDifference,
} from "./reconciliation.ts";

useDatabase();
const market = useSandboxProvider();

const today = dayOf(new Date());
const yesterday = daysAfter(today, -1);
const noon = new Date(daySpan(today).from.getTime() + 12 * 3_600_000);
let putBack: () => void;
let [bat, saraa]: PlantedMember[] = [];
beforeAll(async () => {
  putBack = setClock(() => noon);
  bat = await plantUser({ isAdmin: true, displayName: "Bat", ip: "192.0.2.7" });
  saraa = await plantUser({ isAdmin: true, displayName: "Saraa" });
});
afterAll(() => putBack());
beforeEach(() =>
  ownerDatabase().execute(sql`TRUNCATE payments.reconciliation_runs, payments.reconciliation_tasks`),
);

function desk(): PlantedMember {
  if (bat === undefined) throw new Error("nobody is at the desk");
  return bat;
}

const figures = {
  thereCount: 2,
  thereSum: 300,
  hereCount: 1,
  hereSum: 100,
  found: 3,
  opened: 2,
  vanished: 1,
};

/** Plants a run that the provider answered. */
async function run(day: string, begunBy: number | null, begunAt: Date): Promise<number> {
  const [row] = await db().execute<{ id: string }>(sql`
    INSERT INTO payments.reconciliation_runs
      (day, begun_at, begun_by, there_count, there_sum, here_count, here_sum, found, opened, vanished)
    VALUES (${day}, ${begunAt.toISOString()}, ${begunBy}, 2, 300, 1, 100, 3, 2, 1) RETURNING id`);
  return Number(row?.id);
}

let subjects = 0;

/** Plants a difference of a day, open unless someone resolved it. */
async function differs(day: string, reference: number | null, resolvedBy: number | null = null) {
  const state = resolvedBy === null ? "open" : "resolved";
  const [row] = await db().execute<{ id: string }>(sql`
    INSERT INTO payments.reconciliation_tasks (day, cause, subject, figures, provider_payment_id, reference, there_amount,
      there_status, here_amount, found_at, seen_at, state, closed_at, resolved_by, note)
    VALUES (${day}, 'amount', ${`subject ${++subjects}`}, 'PAID 2 1', 'P-1', ${reference}, 2, 'PAID', 1,
      ${noon.toISOString()}, ${noon.toISOString()}, ${state}, ${resolvedBy && noon.toISOString()}, ${resolvedBy},
      ${resolvedBy && "Seen"})
    RETURNING id`);
  return Number(row?.id);
}

async function shown(input?: { day?: string; before?: number }) {
  const found = await readReconciliation(desk(), input);
  if (!found.ok) throw new Error(found.code);
  return found.reconciliation;
}

describe("the reconciliation page", () => {
  test("has yesterday's last run and differences, with names and codes, and open differences of other days", async () => {
    expect(await shown()).toEqual({
      ...{ day: yesterday, today, last: null, differences: [] },
      ...{ openDays: [], runs: [], next: null },
    });
    const deal = await createRequestedTrade();
    const { code } = await tradeNow(deal);
    const begun = new Date(noon.getTime() - 3_600_000);
    const ids = [await run(yesterday, saraa?.userId ?? 0, begun), await run("2026-01-02", null, noon)];
    const of = [
      await differs(yesterday, deal.id, desk().userId),
      await differs(yesterday, deal.id),
      await differs(yesterday, 999_999, 999_999),
      await differs(yesterday, null),
      await differs("2026-01-02", null),
    ];
    const at = noon.toISOString();
    const one = {
      ...{ day: yesterday, cause: "amount", providerPaymentId: "P-1" },
      ...{ thereAmount: 2, thereStatus: "PAID", hereAmount: 1, foundAt: at, seenAt: at },
    };
    const open = { state: "open", closedAt: null, resolvedBy: null, note: null };
    const resolved = { state: "resolved", closedAt: at, note: "Seen" };
    const transaction = { id: deal.id, code };
    const last = { id: ids[0], day: yesterday, begunAt: begun.toISOString(), by: "Saraa", failure: null };
    expect(await shown()).toEqual({
      ...{ day: yesterday, today },
      last: { ...last, ...figures },
      differences: [
        { id: of[1], ...one, ...open, transaction },
        { id: of[3], ...one, ...open, transaction: null },
        { id: of[0], ...one, ...resolved, transaction, resolvedBy: "Bat" },
        { id: of[2], ...one, ...resolved, transaction: null, resolvedBy: "" },
      ],
      openDays: [
        { day: yesterday, open: 2 },
        { day: "2026-01-02", open: 1 },
      ],
      runs: [
        { id: ids[1], day: "2026-01-02", begunAt: at, by: null, failure: null, ...figures },
        { ...last, ...figures },
      ],
      next: null,
    } as Awaited<ReturnType<typeof shown>>);
    expect(await shown({ day: "2026-01-02" })).toMatchObject({
      ...{ day: "2026-01-02", last: { id: ids[1] }, differences: [{ id: of[4] }] },
    });
  });

  test("shows fourteen runs per page, and names who started the last one", async () => {
    const early = await run("2026-01-03", saraa?.userId ?? 0, noon);
    const ids = [];
    for (let nth = 0; nth < 14; nth++) ids.unshift(await run("2026-01-04", 999_999, noon));
    const first = await shown({ day: "2026-01-03" });
    expect(first.runs.map(({ id, by }) => [id, by])).toEqual(ids.map((id) => [id, ""]));
    expect(first.last).toMatchObject({ id: early, by: "Saraa" });
    expect(first.next).toBe(ids.at(-1) ?? null);
    const exactly = await shown({ before: (ids[0] ?? 0) + 1 });
    expect(exactly.runs).toHaveLength(14);
    const older = await shown({ before: first.next ?? 0 });
    expect(older.runs.map(({ id }) => id).slice(0, 1)).toEqual([early]);
    expect(older.next).toBeNull();
    await ownerDatabase().execute(sql`DELETE FROM payments.reconciliation_runs WHERE id < ${ids.at(-1)}`);
    expect((await shown()).next).toBeNull();
  });
});

describe("an administrator compares a day", () => {
  test("up to today, and the run is recorded as theirs", async () => {
    const done = await expectAccepted(runReconciliation(desk(), { day: today }));
    expectMatch(done.run, { day: today, begunBy: desk().userId, begunAt: noon, failure: null });
    expect(await runReconciliation(desk(), { day: daysAfter(today, 1) })).toEqual({
      ...{ ok: false, code: "DAY_AHEAD" },
    });
    await market.behave({ operation: "list", fail: 500, nextCalls: "all" });
    expect(await runReconciliation(desk(), { day: today })).toEqual({
      ...{ ok: false, code: "PROVIDER_UNAVAILABLE" },
    });
    await market.behave({ reset: true });
  });
});

describe("a difference", () => {
  test("is resolved once, by the first, whose resolution stays", async () => {
    const deal = await createRequestedTrade();
    for (const reference of [deal.id, null, 999_999]) {
      const id = await differs("2026-01-05", reference);
      const first = await settleDifference(desk(), id, { note: "Their statement shows it" });
      expect(first).toEqual({ ok: true, changed: true, day: "2026-01-05" });
      expect(await settleDifference(deal.admin, id, { note: "Another word" })).toEqual({
        ...{ ok: true, changed: false, day: "2026-01-05" },
      });
      const found = (await differencesOf(db(), "2026-01-05")).find((one) => one.id === id);
      expectMatch(found, {
        ...{ state: "resolved", resolvedBy: desk().userId, note: "Their statement shows it", closedAt: noon },
      });
    }
    expect(await settleDifference(desk(), 999_999, { note: "x" })).toEqual({ ok: false, code: "NOT_FOUND" });
  });

  test("is checked at the provider: paid money is booked in the asker's name, and the log records it", async () => {
    const deal = await createInvoicedTrade();
    await market.pay(deal);
    const id = await differs("2026-01-06", deal.id);
    expect(await askAboutDifference(desk(), id)).toEqual({ ok: true, day: "2026-01-06" });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
    const { entries } = await listEntries({
      subject: { kind: "reconciliation", id: "2026-01-06" },
      limit: 1,
    });
    expect(entries).toEqual([
      {
        ...{ id: expect.any(Number), at: noon, action: "reconciliation.asked", roomId: null },
        ...{ userId: desk().userId, ip: "192.0.2.7", device: "test" },
        subject: { kind: "reconciliation", id: "2026-01-06" },
        data: { difference: id, reference: deal.id },
      },
    ]);
    const [payment] = await paymentsOf(db(), deal.id);
    const booked = await listEntries({ subject: { kind: "payment", id: payment?.id ?? 0 } });
    expect(booked.entries).toMatchObject([{ action: "payment.booked", userId: desk().userId }]);
  });

  test("does not count as checked while the provider is silent, and can be checked again immediately", async () => {
    const deal = await createInvoicedTrade();
    const id = await differs("2026-01-07", deal.id);
    expect(await askAboutDifference(desk(), id)).toEqual({ ok: true, day: "2026-01-07" });
    await market.behave({ operation: "*", fail: 500, nextCalls: "all" });
    const silent = await askAboutDifference(desk(), id);
    await market.behave({ reset: true });
    expect(silent).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
    await market.pay(deal);
    expect(await askAboutDifference(desk(), id)).toMatchObject({ ok: true });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
  });

  test("of no trade, or of a payment that is not Midman's, causes no request", async () => {
    const [none, foreign] = [await differs("2026-01-08", null), await differs("2026-01-08", 999_999)];
    expect(await askAboutDifference(desk(), none)).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await askAboutDifference(desk(), 999_999)).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await askAboutDifference(desk(), foreign)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
  });
});

test("only administrators see or resolve any of it, and for their own trade only another one", async () => {
  const deal: PlantedTrade = await createRequestedTrade();
  const id = await differs("2026-01-09", deal.id);
  const verbs = [
    (who: PlantedMember) => readReconciliation(who),
    (who: PlantedMember) => runReconciliation(who, { day: daysAfter(today, 1) }),
    (who: PlantedMember) => settleDifference(who, 999_999, { note: "x" }),
    (who: PlantedMember) => askAboutDifference(who, 999_999),
  ];
  for (const verb of verbs) expect(await verb(deal.buyer)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  const own = { ...deal.buyer, isAdmin: true };
  expect(await settleDifference(own, id, { note: "x" })).toMatchObject({ code: "OWN_TRADE" });
  expect(await askAboutDifference(own, id)).toMatchObject({ code: "OWN_TRADE" });
  expect((await differencesOf(db(), "2026-01-09")).map(({ state }) => state)).toEqual(["open"]);
});
