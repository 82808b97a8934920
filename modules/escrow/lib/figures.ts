import { gte, max, sql } from "drizzle-orm";
import { db, type Executor, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { day as dayOf, daySpan, daysAfter } from "#format";
import { outgoingByDay } from "#modules/payments";
import { dayFigures, trades } from "./schema.ts";

/** A Mongolian day in figures, sums in tugrik: `trades` by when they were asked for, `volume` by when it was paid. */
export type DayFigures = typeof dayFigures.$inferSelect;

/** So long after its end a day is closed: what was decided just before midnight has committed by then. */
const SETTLING_MS = 3_600_000;

const nothing = { trades: 0, paid: 0, volume: 0, fees: 0, payouts: 0, payoutSeconds: 0 };

/** Closes the days that are over, once an hour. */
export function startFigures(): void {
  defineJob("escrow.figures", () => closeDays(now()), { cron: "20 * * * *" });
}

/** Writes down the figures of every day that is over and not written yet; written ones stay as they are. */
export async function closeDays(at: Date): Promise<void> {
  const through = daysAfter(dayOf(new Date(at.getTime() - SETTLING_MS)), -1);
  const from = await openFrom(db());
  const { until } = daySpan(through);
  if (from >= until) return;
  const over = await count(db(), from, until);
  // The last day is written even where nothing happened: it says how far we are.
  const days = over.some(({ day }) => day === through) ? over : [...over, { day: through, ...nothing }];
  await transaction(async (tx) => {
    for (let i = 0; i < days.length; i += 1_000) {
      await tx
        .insert(dayFigures)
        .values(days.slice(i, i + 1_000))
        .onConflictDoNothing();
    }
  });
}

/** Reads as of one moment: while a day is being closed it must count once, as closed or as open. */
function atOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return db().transaction(work, { isolationLevel: "repeatable read", accessMode: "read only" });
}

/** The days from one on that have figures, in no order: the closed ones as written, the rest counted now. */
export function figuresFrom(day: string): Promise<DayFigures[]> {
  return atOnce(async (tx) => {
    const open = await openFrom(tx);
    const from = new Date(Math.max(open.getTime(), daySpan(day).from.getTime()));
    const closed = await tx.select().from(dayFigures).where(gte(dayFigures.day, day));
    return [...closed, ...(await count(tx, from))];
  });
}

/** All trades there ever were and the price of those that were paid, hidden ones left out. */
export function totals(): Promise<{ trades: number; volume: number }> {
  return atOnce(async (tx) => {
    const counted = await count(tx, await openFrom(tx));
    const [closed] = await tx.select(sumsOf(dayFigures.trades, dayFigures.volume)).from(dayFigures);
    const [hidden] = await tx
      .select({
        trades: sql<number>`count(*)::int`,
        volume: sql<string>`coalesce(sum(${trades.amount}) FILTER (WHERE ${trades.confirmedAt} IS NOT NULL), 0)`,
      })
      .from(trades)
      .where(sql`${trades.hiddenAt} IS NOT NULL`);
    const all = counted.reduce(
      (sum, day) => ({ trades: sum.trades + day.trades, volume: sum.volume + day.volume }),
      { trades: Number(closed?.trades ?? 0), volume: Number(closed?.volume ?? 0) },
    );
    return { trades: all.trades - (hidden?.trades ?? 0), volume: all.volume - Number(hidden?.volume ?? 0) };
  });
}

function sumsOf(of: typeof dayFigures.trades, volume: typeof dayFigures.volume) {
  return {
    trades: sql<string>`coalesce(sum(${of}), 0)`,
    volume: sql<string>`coalesce(sum(${volume}), 0)`,
  };
}

/** The first moment of the first day that is not closed. */
async function openFrom(exec: Executor): Promise<Date> {
  const [row] = await exec.select({ last: max(dayFigures.day) }).from(dayFigures);
  return row?.last ? daySpan(row.last).until : new Date(0);
}

const farAhead = new Date("9999-01-01T00:00:00Z");

async function count(exec: Executor, from: Date, until = farAhead): Promise<DayFigures[]> {
  const between = (column: typeof trades.createdAt | typeof trades.confirmedAt) =>
    sql`${column} >= ${from.toISOString()} AND ${column} < ${until.toISOString()}`;
  const dayIs = (column: typeof trades.createdAt | typeof trades.confirmedAt) =>
    sql<string>`((${column} AT TIME ZONE 'Asia/Ulaanbaatar')::date)::text`;
  const [asked, paid, out] = await Promise.all([
    exec
      .select({ day: dayIs(trades.createdAt), trades: sql<number>`count(*)::int` })
      .from(trades)
      .where(between(trades.createdAt))
      .groupBy(sql`1`),
    exec
      .select({
        day: dayIs(trades.confirmedAt),
        paid: sql<number>`count(*)::int`,
        volume: sql<string>`sum(${trades.amount})`,
      })
      .from(trades)
      .where(between(trades.confirmedAt))
      .groupBy(sql`1`),
    outgoingByDay(exec, from, until),
  ]);
  const days = new Map<string, DayFigures>();
  const add = (day: string, part: Partial<DayFigures>) =>
    days.set(day, { ...(days.get(day) ?? { day, ...nothing }), ...part });
  for (const { day, trades } of asked) add(day, { trades });
  for (const { day, paid: some, volume } of paid) add(day, { paid: some, volume: Number(volume) });
  for (const { day, fees, payouts, seconds } of out) add(day, { fees, payouts, payoutSeconds: seconds });
  return [...days.values()];
}
