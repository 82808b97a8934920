import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { day as dayOf, daySpan, daysAfter } from "#format";
import { approve, book, createDue, markSent } from "#modules/payments";
import { useDatabase } from "../../../tests/support/database.ts";
import { plantTrade, plantUser } from "../../../tests/support/trade.ts";
import { closeDays, figuresFrom } from "./figures.ts";
import { dayFigures } from "./schema.ts";
import { periods } from "./views.figures.ts";
import { adminStats } from "./views.stats.ts";

useDatabase();

const at = new Date();
const today = dayOf(at);
const daysAgo = (days: number) => new Date(daySpan(daysAfter(today, -days)).from.getTime() + 3_600_000);

let admin: Awaited<ReturnType<typeof plantUser>>;

/** A planted trade that began, and was paid where its status says so, so many days ago. */
async function plantDaysAgo(days: number, status = "payment_confirmed"): Promise<number> {
  const { id } = await plantTrade(status);
  const moment = daysAgo(days).toISOString();
  await db().transaction(async (tx) => {
    await tx.execute(sql`ALTER TABLE escrow.trades DISABLE TRIGGER keep_frozen`);
    await tx.execute(sql`UPDATE escrow.trades SET created_at = ${moment}::timestamptz,
      confirmed_at = CASE WHEN confirmed_at IS NULL THEN NULL ELSE ${moment}::timestamptz END WHERE id = ${id}`);
    await tx.execute(sql`ALTER TABLE escrow.trades ENABLE TRIGGER keep_frozen`);
  });
  return id;
}

/** A payout of 100,000 with a fee of 10,000, due and sent some minutes apart. */
async function payOut(reference: number, from: Date, minutes: number): Promise<void> {
  const by = { userId: 901, hands: [901] };
  const row = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID(), amount: 110_000 };
  await transaction(async (tx) => {
    await book(tx, { reference, rows: [{ ...row, paidAt: from }], owed: 110_000, at: from });
    const account = { bankName: "Khan Bank", accountName: "Bat", accountNumber: "5012345678" };
    const made = await createDue(tx, {
      ...{ reference, kind: "payout", amount: 100_000, fee: 10_000, recipientId: 1, destination: account },
      ...{ dueAt: from, at: from, by },
    });
    if (!made.ok) throw new Error(made.code);
    const { id } = made.payout;
    await approve(tx, { id, at: from, by });
    const later = new Date(from.getTime() + minutes * 60_000);
    const sent = await markSent(tx, { id, bankReference: crypto.randomUUID(), at: later, by });
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
  const found = await periods(admin, { by: "day" });
  if (!found.ok) throw new Error(found.code);
  return found.periods;
}

describe("figures", () => {
  test("say of each day and week what was asked for, paid, earned and how long sellers waited", async () => {
    const days = await byDay();
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ from: today, trades: 1, volume: 100_000, payoutMinutes: null });
    expect(days.at(-4)).toMatchObject({ trades: 3, volume: 200_000, fees: 0 });
    expect(days.at(-3)).toMatchObject({ trades: 0, fees: 20_000, payoutMinutes: 60 });
    const weeks = await periods(admin, { by: "week" });
    if (!weeks.ok) throw new Error(weeks.code);
    expect(weeks.periods).toHaveLength(12);
    const sum = (of: "trades" | "volume" | "fees") => weeks.periods.reduce((all, one) => all + one[of], 0);
    expect([sum("trades"), sum("volume"), sum("fees")]).toEqual([5, 400_000, 20_000]);
    expect(weeks.periods.every(({ from }) => new Date(from).getUTCDay() === 1)).toBe(true);
  });

  test("stay the same when days are closed, which happens once; the running day stays open", async () => {
    const [before, whole] = [await byDay(), await stats()];
    expect(whole).toMatchObject({ totalTransactions: 5, totalVolume: 400_000 });
    await closeDays(at);
    await closeDays(at);
    const closed = await db().select().from(dayFigures);
    expect(closed.every(({ day }) => day < today)).toBe(true);
    expect(closed.reduce((sum, { trades }) => sum + trades, 0)).toBe(4);
    expect(await byDay()).toEqual(before);
    expect(await stats()).toEqual(whole);
    await plantDaysAgo(0);
    expect((await stats()).totalTransactions).toBe(6);
  });

  test("count no day twice, nor none, while days are being closed", async () => {
    const whole = async () => [await stats(), (await byDay()).reduce((sum, { trades }) => sum + trades, 0)];
    const before = await whole();
    let closing = true;
    const closed = (async () => {
      while (closing) {
        await db().delete(dayFigures);
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

  test("leave hidden trades out of the totals, whether their day is closed or not", async () => {
    const before = await stats();
    const hidden = [await plantDaysAgo(0, "completed"), await plantDaysAgo(0, "cancelled")];
    await db().execute(sql`UPDATE escrow.trades SET hidden_at = now()
      WHERE id IN (${sql.join(hidden, sql`, `)}) OR created_at < ${daysAgo(30).toISOString()}::timestamptz`);
    const after = await stats();
    expect(after.totalTransactions).toBe(before.totalTransactions - 1);
    expect(after.totalVolume).toBe(before.totalVolume - 100_000);
  });

  test("are read without going through all trades", async () => {
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
    expect(await periods(user, { by: "day" })).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });
});
