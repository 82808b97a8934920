import { and, asc, count, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { type By, record } from "#modules/audit";
import { limits } from "../../forms.ts";
import { followDifferences } from "../holds/follow-differences.ts";
import { needsSecondPerson } from "../holds/resolve-hold.ts";
import type { Reference } from "../provider/provider-types.ts";
import { type Difference, type Run, runs, tasks } from "../schema/reconciliation.ts";

/** A day's differences, the open ones first, at most 500. */
export function differencesOf(exec: Executor, day: string): Promise<Difference[]> {
  return exec
    .select()
    .from(tasks)
    .where(eq(tasks.day, day))
    .orderBy(sql`${tasks.state} <> 'open'`, asc(tasks.id))
    .limit(500);
}

/** The days that have open differences, the latest first, and how many; at most 60. */
export function openDays(exec: Executor): Promise<Array<{ day: string; open: number }>> {
  return exec
    .select({ day: tasks.day, open: count() })
    .from(tasks)
    .where(sql`${tasks.state} = 'open'`) // as the partial index has it
    .groupBy(tasks.day)
    .orderBy(desc(tasks.day))
    .limit(60);
}

/** The differences of all days that nobody has dealt with, the earliest day's first, at most so many. */
export function openDifferences(exec: Executor, limit: number): Promise<Difference[]> {
  return exec
    .select()
    .from(tasks)
    .where(sql`${tasks.state} = 'open'`) // as the partial index has it
    .orderBy(asc(tasks.day), asc(tasks.id))
    .limit(limit);
}

/** What was confirmed by hand and the provider has not shown since, the longest not asked about first, at most so many. */
export async function unshownByHand(exec: Executor, limit: number): Promise<Reference[]> {
  const rows = await exec.execute<{ reference: string }>(sql`
    SELECT open.reference
    FROM (
      SELECT DISTINCT reference FROM payments.reconciliation_tasks
      WHERE state = 'open' AND cause = 'by_hand' AND reference IS NOT NULL) open
    CROSS JOIN LATERAL (
      SELECT max(coalesce(p.asked_at, i.created_at)) AS at
      FROM payments.invoices i JOIN payments.provider_invoices p ON p.invoice_id = i.id
      WHERE i.reference = open.reference AND p.provider_id IS NOT NULL) asked
    ORDER BY asked.at NULLS LAST, open.reference
    LIMIT ${limit}`);
  return rows.map(({ reference }) => Number(reference));
}

/** The runs of all days, newest first. `before` is the id last seen; `limit` is 100 at most. */
export function reconciliations(
  exec: Executor,
  input: { limit?: number; before?: number } = {},
): Promise<Run[]> {
  return exec
    .select()
    .from(runs)
    .where(input.before === undefined ? undefined : lt(runs.id, input.before))
    .orderBy(desc(runs.id))
    .limit(Math.max(1, Math.min(input.limit ?? 25, limits.page)));
}

/** The last run of a day that was answered; null when there is none. */
export async function lastReconciliation(exec: Executor, day: string): Promise<Run | null> {
  const [run] = await exec
    .select()
    .from(runs)
    .where(and(eq(runs.day, day), isNull(runs.failure)))
    .orderBy(desc(runs.begunAt))
    .limit(1);
  return run ?? null;
}

/** One difference; null when there is none. */
export async function difference(exec: Executor, id: number): Promise<Difference | null> {
  const [found] = await exec.select().from(tasks).where(eq(tasks.id, id));
  return found ?? null;
}

/** One administrator's word does not release money of a trade: its hold takes two. */
async function takesTwo(tx: Tx, { reference }: Difference): Promise<boolean> {
  if (reference === null) return false;
  return needsSecondPerson(tx, { reference, reason: "DIFFERENCE" }, "dismissed");
}

/**
 * A person has dealt with a difference and says how. The first word stands: of what is resolved or has vanished nothing
 * changes (`changed: false`). Refuses NOT_FOUND.
 */
export async function resolveDifference(
  tx: Tx,
  { id, by, note, at }: { id: number; by: By & { userId: number }; note: string; at: Date },
): Promise<{ ok: true; changed: boolean } | { ok: false; code: "NOT_FOUND" }> {
  const [task] = await tx.select().from(tasks).where(eq(tasks.id, id)).for("update");
  if (task === undefined) return { ok: false, code: "NOT_FOUND" };
  if (task.state !== "open") return { ok: true, changed: false };
  await tx
    .update(tasks)
    .set({ state: "resolved", closedAt: at, resolvedBy: by.userId, note })
    .where(eq(tasks.id, id));
  if (!(await takesTwo(tx, task))) await followDifferences(tx, [task], at);
  await record(tx, {
    by,
    action: "reconciliation.resolved",
    at,
    subject: { kind: "reconciliation", id: task.day },
    data: { difference: id, cause: task.cause, before: task.state, after: "resolved" },
  });
  return { ok: true, changed: true };
}
