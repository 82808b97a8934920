import { gte, max, sql } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { formatDay as dayOf, daySpan, daysAfter } from "#format";
import { outgoingByDay } from "#modules/payments";
import { dayFiguresTable, tradesTable } from "../../core/schema.ts";

/** The figures of a Mongolian day, sums in ₮: `trades` by when they were created, `volume` by when it was paid. */
export type DayFigures = typeof dayFiguresTable.$inferSelect;

/** A day is closed this many ms after its end: what was decided just before midnight has committed by then. */
const SETTLING_MS = 3_600_000;

const emptyDayFigures = { trades: 0, paid: 0, volume: 0, fees: 0, payouts: 0, payoutSeconds: 0 };

defineJob("escrow.figures", () => closeDays(currentTime()), { cron: "20 * * * *" });

/** Stores the figures of every day that is over and not stored yet; stored days stay as they are. */
export async function closeDays(at: Date): Promise<void> {
  const through = daysAfter(dayOf(new Date(at.getTime() - SETTLING_MS)), -1);
  const [closed] = await db()
    .select({ last: max(dayFiguresTable.day) })
    .from(dayFiguresTable);
  const from = endOfClosedDays(closed?.last);
  const { until } = daySpan(through);
  if (from >= until) return;
  const over = await countDayFigures(db(), from, until);
  // The last day is stored even if nothing happened, because it shows how far the days are closed. If it has figures, they come before this
  // row, and this one is ignored. One statement can hold the days of twenty years.
  const days = [...over, { day: through, ...emptyDayFigures }];
  await db().insert(dayFiguresTable).values(days).onConflictDoNothing();
}

// Counting continues after the last closed day, which is read in the same statement as the closed days: a day that is closed meanwhile is
// still counted once.

/** The days from `day` on that have figures, in no order: closed ones as stored, the others counted now. */
export async function figuresFrom(day: string): Promise<DayFigures[]> {
  const closed = await db()
    .select()
    .from(dayFiguresTable)
    .where(gte(dayFiguresTable.day, day))
    .orderBy(dayFiguresTable.day);
  const last = closed.at(-1);
  const from = last === undefined ? daySpan(day).from : daySpan(last.day).until;
  return [...closed, ...(await countDayFigures(db(), from))];
}

/** The number of all trades ever, and the total price of those that were paid, without hidden ones. */
export async function readTradeTotals(): Promise<{ trades: number; volume: number }> {
  const [closed] = await db()
    .select({
      last: max(dayFiguresTable.day),
      trades: sql<string>`coalesce(sum(${dayFiguresTable.trades}), 0)`,
      volume: sql<string>`coalesce(sum(${dayFiguresTable.volume}), 0)`,
    })
    .from(dayFiguresTable);
  const [counted, [hidden]] = await Promise.all([
    countDayFigures(db(), endOfClosedDays(closed?.last)),
    db()
      .select({
        trades: sql<number>`count(*)::int`,
        volume: sql<string>`coalesce(sum(${tradesTable.amount}) FILTER (WHERE ${tradesTable.confirmedAt} IS NOT NULL), 0)`,
      })
      .from(tradesTable)
      .where(sql`${tradesTable.hiddenAt} IS NOT NULL`),
  ]);
  const all = counted.reduce(
    (sum, day) => ({ trades: sum.trades + day.trades, volume: sum.volume + day.volume }),
    { trades: Number(closed?.trades ?? 0), volume: Number(closed?.volume ?? 0) },
  );
  return { trades: all.trades - (hidden?.trades ?? 0), volume: all.volume - Number(hidden?.volume ?? 0) };
}

/** The first moment after the last closed day; the epoch if none is closed. */
const endOfClosedDays = (last: string | null | undefined) => (last ? daySpan(last).until : new Date(0));

const farAhead = new Date("9999-01-01T00:00:00Z");

async function countDayFigures(exec: Executor, from: Date, until = farAhead): Promise<DayFigures[]> {
  const between = (column: typeof tradesTable.createdAt | typeof tradesTable.confirmedAt) =>
    sql`${column} >= ${from.toISOString()} AND ${column} < ${until.toISOString()}`;
  const dayIs = (column: typeof tradesTable.createdAt | typeof tradesTable.confirmedAt) =>
    sql<string>`((${column} AT TIME ZONE 'Asia/Ulaanbaatar')::date)::text`;
  const [asked, paid, out] = await Promise.all([
    exec
      .select({ day: dayIs(tradesTable.createdAt), trades: sql<number>`count(*)::int` })
      .from(tradesTable)
      .where(between(tradesTable.createdAt))
      .groupBy(sql`1`),
    exec
      .select({
        day: dayIs(tradesTable.confirmedAt),
        paid: sql<number>`count(*)::int`,
        volume: sql<string>`sum(${tradesTable.amount})`,
      })
      .from(tradesTable)
      .where(between(tradesTable.confirmedAt))
      .groupBy(sql`1`),
    outgoingByDay(exec, from, until),
  ]);
  const days = new Map<string, DayFigures>();
  const add = (day: string, part: Partial<DayFigures>) =>
    days.set(day, { ...(days.get(day) ?? { day, ...emptyDayFigures }), ...part });
  for (const { day, trades } of asked) add(day, { trades });
  for (const { day, paid: some, volume } of paid) add(day, { paid: some, volume: Number(volume) });
  for (const { day, fees, payouts, seconds } of out) add(day, { fees, payouts, payoutSeconds: seconds });
  return [...days.values()];
}
