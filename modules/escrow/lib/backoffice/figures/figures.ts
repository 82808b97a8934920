import { gte, max, sql } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { formatDay as dayOf, daySpan, daysAfter } from "#format";
import { outgoingByDay } from "#modules/payments";
import { dayFiguresTable, tradesTable } from "../../core/schema.ts";

/** A Mongolian day in figures, sums in tugrik: `trades` by when they were asked for, `volume` by when it was paid. */
export type DayFigures = typeof dayFiguresTable.$inferSelect;

/** So long after its end a day is closed: what was decided just before midnight has committed by then. */
const SETTLING_MS = 3_600_000;

const emptyDayFigures = { trades: 0, paid: 0, volume: 0, fees: 0, payouts: 0, payoutSeconds: 0 };

defineJob("escrow.figures", () => closeDays(currentTime()), { cron: "20 * * * *" });

/** Writes down the figures of every day that is over and not written yet; written ones stay as they are. */
export async function closeDays(at: Date): Promise<void> {
  const through = daysAfter(dayOf(new Date(at.getTime() - SETTLING_MS)), -1);
  const [closed] = await db()
    .select({ last: max(dayFiguresTable.day) })
    .from(dayFiguresTable);
  const from = endOfClosedDays(closed?.last);
  const { until } = daySpan(through);
  if (from >= until) return;
  const over = await countDayFigures(db(), from, until);
  // The last day is written even where nothing happened: it says how far we are. Where it has figures they stand before this. One
  // statement takes the days of twenty years.
  const days = [...over, { day: through, ...emptyDayFigures }];
  await db().insert(dayFiguresTable).values(days).onConflictDoNothing();
}

// What is counted goes on where the closed days end that were read, in one statement: should another day be closed meanwhile, it
// counts once all the same.

/** The days from one on that have figures, in no order: the closed ones as written, the rest counted now. */
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

/** All trades there ever were and the price of those that were paid, hidden ones left out. */
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

/** The first moment after a closed day; the beginning of all where none is closed. */
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
