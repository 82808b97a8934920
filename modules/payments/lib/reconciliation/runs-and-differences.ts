import { and, asc, count, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { moneyFormLimits } from "../../forms.ts";
import { syncHoldsWithDifferences } from "../holds/follow-differences.ts";
import { needsSecondPerson } from "../holds/resolve-hold.ts";
import type { Reference } from "../provider/provider-types.ts";
import {
  type Difference,
  type ReconciliationRun,
  reconciliationRunsTable,
  reconciliationTasksTable,
} from "../schema/reconciliation.ts";

/** A day's differences, open ones first, at most 500. */
export function differencesOf(exec: Executor, day: string): Promise<Difference[]> {
  return exec
    .select()
    .from(reconciliationTasksTable)
    .where(eq(reconciliationTasksTable.day, day))
    .orderBy(sql`${reconciliationTasksTable.state} <> 'open'`, asc(reconciliationTasksTable.id))
    .limit(500);
}

/** The days that have open differences, latest first, with the number of those; at most 60 days. */
export function daysWithOpenDifferences(exec: Executor): Promise<Array<{ day: string; open: number }>> {
  return exec
    .select({ day: reconciliationTasksTable.day, open: count() })
    .from(reconciliationTasksTable)
    .where(sql`${reconciliationTasksTable.state} = 'open'`) // spelled as in the partial index
    .groupBy(reconciliationTasksTable.day)
    .orderBy(desc(reconciliationTasksTable.day))
    .limit(60);
}

/** The open differences of all days, earliest day first, at most `limit`. */
export function openDifferences(exec: Executor, limit: number): Promise<Difference[]> {
  return exec
    .select()
    .from(reconciliationTasksTable)
    .where(sql`${reconciliationTasksTable.state} = 'open'`) // spelled as in the partial index
    .orderBy(asc(reconciliationTasksTable.day), asc(reconciliationTasksTable.id))
    .limit(limit);
}

/** References of manual confirmations that the provider has not listed since, the least recently checked first, at most `limit`. */
export async function unmatchedManualReferences(exec: Executor, limit: number): Promise<Reference[]> {
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

/** The runs of all days, newest first. `before` is the id of the last row seen; `limit` is at most 100. */
export function listReconciliationRuns(
  exec: Executor,
  input: { limit?: number; before?: number } = {},
): Promise<ReconciliationRun[]> {
  return exec
    .select()
    .from(reconciliationRunsTable)
    .where(input.before === undefined ? undefined : lt(reconciliationRunsTable.id, input.before))
    .orderBy(desc(reconciliationRunsTable.id))
    .limit(Math.max(1, Math.min(input.limit ?? 25, moneyFormLimits.page)));
}

/** The last successful run of a day; null when there is none. */
export async function lastReconciliation(exec: Executor, day: string): Promise<ReconciliationRun | null> {
  const [run] = await exec
    .select()
    .from(reconciliationRunsTable)
    .where(and(eq(reconciliationRunsTable.day, day), isNull(reconciliationRunsTable.failure)))
    .orderBy(desc(reconciliationRunsTable.begunAt))
    .limit(1);
  return run ?? null;
}

/** One difference; null when there is none. */
export async function findDifference(exec: Executor, id: number): Promise<Difference | null> {
  const [found] = await exec
    .select()
    .from(reconciliationTasksTable)
    .where(eq(reconciliationTasksTable.id, id));
  return found ?? null;
}

/** True if the difference keeps money on hold: one administrator cannot release it, so the hold needs two. */
async function needsTwoAdministrators(tx: Tx, { reference }: Difference): Promise<boolean> {
  if (reference === null) return false;
  return needsSecondPerson(tx, { reference, reason: "DIFFERENCE" }, "dismissed");
}

/**
 * Records that an administrator has resolved a difference, with a note. The first resolution counts: a difference that is resolved or gone
 * does not change (`changed: false`). Refuses NOT_FOUND.
 */
export async function resolveDifference(
  tx: Tx,
  { id, by, note, at }: { id: number; by: AuditActor & { userId: number }; note: string; at: Date },
): Promise<{ ok: true; changed: boolean } | { ok: false; code: "NOT_FOUND" }> {
  const [task] = await tx
    .select()
    .from(reconciliationTasksTable)
    .where(eq(reconciliationTasksTable.id, id))
    .for("update");
  if (task === undefined) return { ok: false, code: "NOT_FOUND" };
  if (task.state !== "open") return { ok: true, changed: false };
  await tx
    .update(reconciliationTasksTable)
    .set({ state: "resolved", closedAt: at, resolvedBy: by.userId, note })
    .where(eq(reconciliationTasksTable.id, id));
  if (!(await needsTwoAdministrators(tx, task))) await syncHoldsWithDifferences(tx, [task], at);
  await recordAuditEntry(tx, {
    by,
    action: "reconciliation.resolved",
    at,
    subject: { kind: "reconciliation", id: task.day },
    data: { difference: id, cause: task.cause, before: task.state, after: "resolved" },
  });
  return { ok: true, changed: true };
}
