import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { day as dayOf, daysAfter } from "#format";
import { reconcile } from "./reconcile.ts";

/** How far back a morning makes good what was missed. */
const MOST_DAYS = 7;

/** Begins the comparison of the day before, at 7:10 every morning in Ulaanbaatar. */
export function startReconciling(): void {
  defineJob("payments.reconcile", () => reconcileDue(now()), { cron: "10 23 * * *" });
}

/**
 * Compares the day before and, where mornings were missed, the earlier ones that nobody has compared since their end, of the
 * last seven. Throws when the provider does not answer, so that the job is tried again.
 */
export async function reconcileDue(at: Date): Promise<void> {
  for (const day of await daysDue(daysAfter(dayOf(at), -1))) {
    const done = await reconcile({ day, at, by: { userId: null } });
    if (!done.ok) throw new Error(`payments: ${day} could not be compared: ${done.code}`);
  }
}

/** The earliest first; none from before the first morning. */
async function daysDue(yesterday: string): Promise<string[]> {
  const rows = await db().execute<{ day: string }>(sql`
    SELECT d.day::date::text AS day
    FROM generate_series(${yesterday}::date - ${MOST_DAYS - 1}::integer, ${yesterday}::date, '1 day') d (day)
    WHERE d.day >= coalesce(
        (SELECT min(day) FROM payments.reconciliation_runs WHERE begun_by IS NULL), ${yesterday}::date)
      AND NOT EXISTS (
        SELECT FROM payments.reconciliation_runs r
        WHERE r.day = d.day AND r.failure IS NULL
          AND r.begun_at >= (r.day + 1)::timestamp AT TIME ZONE 'Asia/Ulaanbaatar')
    ORDER BY d.day`);
  return rows.map(({ day }) => day);
}
