import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { formatDay as dayOf, daySpan, daysAfter } from "#format";
import { reconcileDay } from "./reconcile.ts";

/** How many days back a run catches up on days that were missed. */
const MOST_DAYS = 7;

/** How many days back each nightly run compares again: a payment may be taken back after its day was compared. */
const COMPARED_AGAIN_DAYS = 14;

/** The most days with open differences that one run compares again. */
export const MOST_OPEN_DAYS = 10;

/** Starts the daily reconciliation of the day before, at 7:10 in Ulaanbaatar. */
export function startReconciling(): void {
  defineJob("payments.reconcile", () => reconcileDueDays(currentTime()), { cron: "10 23 * * *" });
}

/**
 * Compares the day before and, where earlier runs were missed, those of the last seven days that nobody has compared since they ended. Then
 * compares again the days of the last fourteen with booked payments, and some days with open differences, which close once they are gone. A
 * day that the provider refuses to list is recorded as a failed run, and the other days go on. Throws when the provider does not answer, or
 * at the end if it refused one of the due days, so that the job is tried again.
 */
export async function reconcileDueDays(at: Date): Promise<void> {
  const today = dayOf(at);
  const refused: string[] = [];
  for (const day of await daysDue(daysAfter(today, -1))) {
    if (!(await compareDay(day, at))) refused.push(day);
  }
  const again = new Set([...(await daysBooked(today)), ...(await daysOpen(today))]);
  for (const day of again) await compareDay(day, at);
  if (refused.length > 0) throw notComparedError(refused.join(", "), "PROVIDER_REFUSED");
}

/** False if the provider refuses to list the day. */
async function compareDay(day: string, at: Date): Promise<boolean> {
  const done = await reconcileDay({ day, at, by: { userId: null } });
  if (!done.ok && done.code !== "PROVIDER_REFUSED") throw notComparedError(day, done.code);
  return done.ok;
}

function notComparedError(days: string, code: string): Error {
  return new Error(`payments: ${days} could not be compared: ${code}`);
}

/** Due days, earliest first; none from before the day that the first scheduled run compared. */
async function daysDue(yesterday: string): Promise<string[]> {
  const rows = await db().execute<{ day: string }>(sql`
    SELECT d.day::date::text AS day
    FROM generate_series(${yesterday}::date - ${MOST_DAYS - 1}::integer, ${yesterday}::date, '1 day') d (day)
    WHERE d.day >= coalesce(
        (SELECT (min(begun_at) AT TIME ZONE 'Asia/Ulaanbaatar')::date - 1
          FROM payments.reconciliation_runs WHERE begun_by IS NULL),
        ${yesterday}::date)
      AND NOT EXISTS (
        SELECT FROM payments.reconciliation_runs r
        WHERE r.day = d.day AND r.failure IS NULL
          AND r.begun_at >= (r.day + 1)::timestamp AT TIME ZONE 'Asia/Ulaanbaatar')
    ORDER BY d.day`);
  return rows.map(({ day }) => day);
}

/** The days of the last fourteen on which Midman has payments, and that were not compared today. */
async function daysBooked(today: string): Promise<string[]> {
  const { from } = daySpan(today);
  const rows = await db().execute<{ day: string }>(sql`
    SELECT DISTINCT (p.paid_at AT TIME ZONE 'Asia/Ulaanbaatar')::date::text AS day
    FROM payments.payments p
    WHERE p.paid_at >= ${daySpan(daysAfter(today, -COMPARED_AGAIN_DAYS)).from.toISOString()}::timestamptz
      AND p.paid_at < ${from.toISOString()}::timestamptz
      AND NOT EXISTS (
        SELECT FROM payments.reconciliation_runs r
        WHERE r.day = (p.paid_at AT TIME ZONE 'Asia/Ulaanbaatar')::date AND r.failure IS NULL
          AND r.begun_at >= ${from.toISOString()}::timestamptz)
    ORDER BY day`);
  return rows.map(({ day }) => day);
}

/**
 * Days with open differences that were not compared today, the least recently tried first: differences that stay open must not keep the
 * other days waiting.
 */
async function daysOpen(today: string): Promise<string[]> {
  const { from } = daySpan(today);
  const rows = await db().execute<{ day: string }>(sql`
    SELECT o.day::text AS day
    FROM (SELECT DISTINCT day FROM payments.reconciliation_tasks WHERE state = 'open') o
    CROSS JOIN LATERAL (
      SELECT max(r.begun_at) AS tried, max(r.begun_at) FILTER (WHERE r.failure IS NULL) AS answered
      FROM payments.reconciliation_runs r WHERE r.day = o.day) r
    WHERE r.answered IS NULL OR r.answered < ${from.toISOString()}
    ORDER BY r.tried, o.day
    LIMIT ${MOST_OPEN_DAYS}`);
  return rows.map(({ day }) => day);
}
