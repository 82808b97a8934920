import { and, desc, isNull, sql } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { day as dayOf, daysAfter } from "#format";
import { reconcile } from "./reconcile.ts";
import { runs } from "./schema.reconcile.ts";

/** How far back a morning makes good what was missed. */
const MOST_DAYS = 7;

/** Begins the comparison of the day before, at 7:10 every morning in Ulaanbaatar. */
export function startReconciling(): void {
  defineJob("payments.reconcile", () => reconcileDue(now()), { cron: "10 23 * * *" });
}

/**
 * Compares the day before and, where mornings were missed, those since the last whole day that was compared, seven at
 * most. Throws when the provider does not answer, so that the job is tried again.
 */
export async function reconcileDue(at: Date): Promise<void> {
  const yesterday = daysAfter(dayOf(at), -1);
  for (const day of daysDue(yesterday, await lastWholeDay())) {
    const done = await reconcile({ day, at, by: { userId: null } });
    if (!done.ok) throw new Error(`payments: ${day} could not be compared: ${done.code}`);
  }
}

function daysDue(yesterday: string, last: string | null): string[] {
  if (last === null) return [yesterday];
  const days = Array.from({ length: MOST_DAYS }, (_, back) => daysAfter(yesterday, -back)).reverse();
  return days.filter((day) => day > last);
}

/** The latest day of which a run was begun after its end. */
async function lastWholeDay(): Promise<string | null> {
  const over = sql`begun_at >= (day + 1)::timestamp AT TIME ZONE 'Asia/Ulaanbaatar'`;
  const [run] = await db()
    .select({ day: runs.day })
    .from(runs)
    .where(and(isNull(runs.failure), over))
    .orderBy(desc(runs.day))
    .limit(1);
  return run?.day ?? null;
}
