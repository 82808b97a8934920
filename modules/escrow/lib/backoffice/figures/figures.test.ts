import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { formatDay as dayOf, daySpan, daysAfter } from "#format";
import { approvePayoutRecord, createDuePayout, markPayoutSent, recordPayments } from "#modules/payments";
import { ownerDatabase, useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { dayFiguresTable } from "../../core/schema.ts";
import { closeDays, figuresFrom } from "./figures.ts";
import { readPeriodFigures } from "./periods.ts";
import { adminStats } from "./stats.ts";

useDatabase();

const at = new Date();
const today = dayOf(at);
const daysAgo = (days: number) => new Date(daySpan(daysAfter(today, -days)).from.getTime() + 3_600_000);

let admin: Awaited<ReturnType<typeof plantUser>>;

/** A planted trade that was created, and paid if its status says so, the given number of days ago. */
async function plantDaysAgo(days: number, status = "payment_confirmed"): Promise<number> {
  return bornAt(await plantTrade(status), daysAgo(days));
}

/** Sets a planted trade's creation time, and its payment time if it has one, to a moment. */
async function bornAt({ id }: { id: number }, at: Date): Promise<number> {
  const moment = at.toISOString();
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`ALTER TABLE escrow.trades DISABLE TRIGGER keep_frozen`);
    await tx.execute(sql`UPDATE escrow.trades SET created_at = ${moment}::timestamptz,
      confirmed_at = CASE WHEN confirmed_at IS NULL THEN NULL ELSE ${moment}::timestamptz END WHERE id = ${id}`);
    await tx.execute(sql`ALTER TABLE escrow.trades ENABLE TRIGGER keep_frozen`);
  });
  return id;
}

/** A payout of 100,000 with a fee of 10,000, due and sent some minutes apart. */
async function payOut(reference: number, from: Date, minutes: number): Promise<void> {
  const by = { userId: 901, relatedAdminIds: [901], keepsRight: async () => true };
  const row = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID(), amount: 110_000 };
  await runInTransaction(async (tx) => {
    await recordPayments(tx, { reference, rows: [{ ...row, paidAt: from }], owed: 110_000, at: from });
    const account = { bankName: "Khan Bank", accountName: "Bat", accountNumber: "5012345678" };
    const made = await createDuePayout(tx, {
      ...{ reference, kind: "payout", amount: 100_000, fee: 10_000, recipientId: 1, destination: account },
      ...{ dueAt: from, at: from, by },
    });
    if (!made.ok) throw new Error(made.code);
    const { id } = made.payout;
    await approvePayoutRecord(tx, { id, at: from, by });
    const later = new Date(from.getTime() + minutes * 60_000);
    const sent = await markPayoutSent(tx, { id, bankReference: crypto.randomUUID(), at: later, by });
    if (!sent.ok) throw new Error(sent.code);
  });
}

beforeAll(async () => {
  admin = await plantUser({ isAdmin: true });
  await plantDaysAgo(40);
  const paid = await plantDaysAgo(3);
  await plantDaysAgo(3, "initiated");
  await plantDaysAgo(0);
  await payOut(paid, daysAgo(2), 30);
  await payOut(await plantDaysAgo(3), daysAgo(2), 90);
});

async function stats() {
  const found = await adminStats(admin);
  if (!found.ok) throw new Error(found.code);
  return found.stats;
}

async function byDay() {
  const found = await readPeriodFigures(admin, { by: "day" });
  if (!found.ok) throw new Error(found.code);
  return found.periods;
}

describe("figures", () => {
  test("report for each day and week what was requested, paid and earned, and how long sellers waited", async () => {
    const days = await byDay();
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ from: today, trades: 1, volume: 100_000, payoutMinutes: null });
    expect(days.at(-4)).toMatchObject({ trades: 3, volume: 200_000, fees: 0 });
    expect(days.at(-3)).toMatchObject({ trades: 0, fees: 20_000, payoutMinutes: 60 });
    const weeks = await readPeriodFigures(admin, { by: "week" });
    if (!weeks.ok) throw new Error(weeks.code);
    expect(weeks.periods).toHaveLength(12);
    const sum = (of: "trades" | "volume" | "fees") => weeks.periods.reduce((all, one) => all + one[of], 0);
    expect([sum("trades"), sum("volume"), sum("fees")]).toEqual([5, 400_000, 20_000]);
    expect(weeks.periods.every(({ from }) => new Date(from).getUTCDay() === 1)).toBe(true);
  });

  test("do not change when days are closed, which happens once; the current day stays open", async () => {
    const [before, whole] = [await byDay(), await stats()];
    expect(whole).toMatchObject({ totalTransactions: 5, totalVolume: 400_000 });
    await closeDays(at);
    await closeDays(at);
    const closed = await db().select().from(dayFiguresTable);
    expect(closed.every(({ day }) => day < today)).toBe(true);
    expect(closed.reduce((sum, { trades }) => sum + trades, 0)).toBe(4);
    expect(await byDay()).toEqual(before);
    expect(await stats()).toEqual(whole);
    await plantDaysAgo(0);
    expect((await stats()).totalTransactions).toBe(6);
  });

  test("count every day exactly once while days are being closed", async () => {
    const whole = async () => [await stats(), (await byDay()).reduce((sum, { trades }) => sum + trades, 0)];
    const before = await whole();
    let closing = true;
    const closed = (async () => {
      while (closing) {
        await ownerDatabase().delete(dayFiguresTable);
        await closeDays(at);
      }
    })();
    try {
      for (let n = 0; n < 20; n++) expect(await whole()).toEqual(before);
    } finally {
      closing = false;
      await closed;
    }
  });

  test("omit hidden trades from the totals, whether or not their day is closed", async () => {
    const before = await stats();
    const hidden = [await plantDaysAgo(0, "completed"), await plantDaysAgo(0, "cancelled")];
    await db().execute(sql`UPDATE escrow.trades SET hidden_at = now()
      WHERE id IN (${sql.join(hidden, sql`, `)}) OR created_at < ${daysAgo(30).toISOString()}::timestamptz`);
    const after = await stats();
    expect(after.totalTransactions).toBe(before.totalTransactions - 1);
    expect(after.totalVolume).toBe(before.totalVolume - 100_000);
  });

  test("are read without reading all trades", async () => {
    const plan = async (query: ReturnType<typeof sql>) => {
      const rows = await db().transaction(async (tx) => {
        await tx.execute(sql`SET LOCAL enable_seqscan = off`);
        return tx.execute(sql`EXPLAIN ${query}`);
      });
      return rows.map((row) => Object.values(row).join("")).join("\n");
    };
    const since = sql`'2100-01-01'::timestamptz`;
    expect(await plan(sql`SELECT sum(amount) FROM escrow.trades WHERE confirmed_at >= ${since}`)).toContain(
      "trades_confirmed",
    );
    expect(await plan(sql`SELECT count(*) FROM escrow.trades WHERE created_at >= ${since}`)).toContain(
      "trades_newest",
    );
    expect(await figuresFrom("2100-01-01")).toEqual([]);
  });

  test("are for administrators alone", async () => {
    const user = await plantUser();
    expect(await readPeriodFigures(user, { by: "day" })).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });
});

describe("the figures of a day", () => {
  const hour = 3_600_000;
  const later = (from: Date, ms: number) => new Date(from.getTime() + ms);
  const nothing = { trades: 0, paid: 0, volume: 0, fees: 0, payouts: 0, payoutSeconds: 0 };
  const written = () => db().select().from(dayFiguresTable).orderBy(dayFiguresTable.day);
  let years = 0;
  /** A Monday with no figures on it or in the months around it; no day is closed. */
  async function freshMonday(): Promise<string> {
    await ownerDatabase().delete(dayFiguresTable);
    return daysAfter("2001-01-01", 364 * ++years);
  }
  const at = (moment: Date) => setClock(() => moment);

  test("are closed an hour after its end with everything that happened in it, and then do not change", async () => {
    const day = await freshMonday();
    const { from, until } = daySpan(day);
    const first = await bornAt(await plantTrade(), from);
    await bornAt(await plantTrade("initiated"), later(until, -1));
    await bornAt(await plantTrade(), later(from, -1));
    await bornAt(await plantTrade(), until);
    await payOut(first, later(from, hour), 90);
    await closeDays(later(until, hour - 1));
    const before = (await written()).at(-1);
    expect(before).toEqual({ ...nothing, day: daysAfter(day, -1), trades: 1, paid: 1, volume: 100_000 });
    await closeDays(later(until, hour));
    const closed = await written();
    const own = { day, trades: 2, paid: 1, volume: 100_000, fees: 10_000, payouts: 1, payoutSeconds: 5_400 };
    expect(closed.slice(-2)).toEqual([before as typeof own, own]);
    await bornAt(await plantTrade(), from);
    await closeDays(later(until, 2 * hour));
    expect(await written()).toEqual(closed);
    const next = { ...nothing, day: daysAfter(day, 1), trades: 1, paid: 1, volume: 100_000 };
    const near = async (since: string) => {
      return (await figuresFrom(since)).filter((one) => one.day < daysAfter(day, 99));
    };
    expect(await near(day)).toEqual([own, next]);
    expect(await near(daysAfter(day, 1))).toEqual([next]);
    expect(await near(daysAfter(day, 2))).toEqual([]);
  });

  test("are written for an empty day if it is the last, and not for days before the first trade", async () => {
    const day = await freshMonday();
    await bornAt(await plantTrade(), daySpan(daysAfter(day, -2)).from);
    await closeDays(later(daySpan(day).until, hour));
    expect((await written()).slice(-2)).toEqual([
      { ...nothing, day: daysAfter(day, -2), trades: 1, paid: 1, volume: 100_000 },
      { ...nothing, day },
    ]);
    const closed = await written();
    await closeDays(later(daySpan(day).from, hour));
    expect(await written()).toEqual(closed);
  });

  test("belong to a week from Monday to Sunday; the sellers' wait is the mean in whole minutes", async () => {
    const monday = await freshMonday();
    const sunday = daysAfter(monday, 6);
    for (const back of [0, 6, 7, 77, 78, 84]) {
      await bornAt(await plantTrade(), daySpan(daysAfter(sunday, -back)).from);
    }
    await payOut((await plantTrade()).id, daySpan(monday).from, 3);
    await payOut((await plantTrade()).id, daySpan(sunday).from, 6);
    await payOut((await plantTrade()).id, daySpan(sunday).from, 7);
    const periodsAt = async (moment: Date, by: "day" | "week" = "week") => {
      const restore = at(moment);
      const found = await readPeriodFigures(admin, { by }).finally(restore);
      if (!found.ok) throw new Error(found.code);
      return found.periods;
    };
    const empty = { trades: 0, volume: 0, fees: 0, payoutMinutes: null };
    const expected = Array.from({ length: 12 }, (_, n) => ({
      ...empty,
      from: daysAfter(monday, 7 * (n - 11)),
    }));
    const one = { trades: 1, volume: 100_000 };
    expected[11] = {
      ...empty,
      from: monday,
      trades: 2,
      volume: 200_000,
      fees: 30_000,
      payoutMinutes: 5 as never,
    };
    expected[10] = { ...empty, ...one, from: daysAfter(monday, -7) };
    expected[0] = { ...empty, ...one, trades: 2, volume: 200_000, from: daysAfter(monday, -77) };
    const weeks = await periodsAt(daySpan(sunday).from);
    expect(weeks).toEqual(expected);
    expect(await periodsAt(later(daySpan(sunday).until, -1))).toEqual(weeks);
    const days = await periodsAt(daySpan(sunday).from, "day");
    expect(days.map(({ from }) => from)).toEqual(days.map((_, n) => daysAfter(sunday, n - 29)));
    expect([days.length, days.at(-1)]).toEqual([
      30,
      { from: sunday, trades: 1, volume: 100_000, fees: 20_000, payoutMinutes: 7 },
    ]);
    expect((await periodsAt(daySpan(monday).from)).at(-1)?.from).toBe(monday);
    expect((await periodsAt(daySpan(sunday).until)).at(-1)?.from).toBe(daysAfter(monday, 7));
  });

  test("count in the totals unless hidden, whether or not the day is closed", async () => {
    const monday = await freshMonday();
    await db().execute(sql`UPDATE escrow.trades SET hidden_at = now() WHERE id = ${(await plantTrade()).id}`);
    const [row] = await db().execute<{ trades: number; volume: number; users: number }>(sql`
      SELECT count(*)::int AS trades, coalesce(sum(amount) FILTER (WHERE confirmed_at IS NOT NULL), 0)::int AS volume,
        (SELECT count(*)::int FROM identity.users WHERE deleted_at IS NULL) AS users
      FROM escrow.trades WHERE hidden_at IS NULL`);
    const all = {
      totalUsers: row?.users ?? 0,
      totalTransactions: row?.trades ?? 0,
      totalVolume: row?.volume ?? 0,
    };
    expect(await stats()).toEqual(all);
    await closeDays(daySpan(monday).from);
    expect(await stats()).toEqual(all);
    expect(await adminStats(await plantUser())).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });
});
