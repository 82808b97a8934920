import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { syncHoldsWithDifferences } from "../holds/follow-differences.ts";
import { recognizeListedInvoices } from "../provider/recover-lost-invoice.ts";
import {
  type Difference,
  type ReconciliationRun,
  reconciliationRunsTable,
  reconciliationTasksTable,
} from "../schema/reconciliation.ts";
import { type ComparedSides, comparePayments, type FoundDifference } from "./compare-payments.ts";
import {
  findBilledInvoices,
  findPaymentsBookedFor,
  findPaymentsBookedOn,
  findResolvedKeys,
  type OwnRecord,
} from "./own-records.ts";
import { isPaidThere, listProviderRecords, type ProviderRecord } from "./provider-records.ts";

export type ReconcileResult =
  | { ok: true; run: ReconciliationRun }
  | { ok: false; code: "PROVIDER_UNAVAILABLE" | "PROVIDER_REFUSED" };

/**
 * Compares the provider's list of a Mongolian day (`yyyy-MM-dd`) with the ledger: each difference becomes one task, tasks whose difference
 * is gone are closed, and no money moves. Safe to repeat and to run in parallel. The provider is called outside any transaction; if it
 * fails, the run is recorded as failed and no task changes.
 */
export async function reconcileDay({
  day,
  at,
  by,
}: {
  day: string;
  at: Date;
  by: AuditActor;
}): Promise<ReconcileResult> {
  // Midman's records are read first: a payment booked while the provider answers is then no difference.
  const asked = await askProviderAboutDay(day, await findPaymentsBookedOn(db(), day), at);
  if (!asked.ok) {
    const { code } = asked;
    await runInTransaction((tx) => noteFailure(tx, { day, at, by, failure: code }));
    return { ok: false, code };
  }
  return runInTransaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`payments.reconcile:${day}`}, 0))`);
    const [newer] = await tx
      .select()
      .from(reconciliationRunsTable)
      .where(
        and(
          eq(reconciliationRunsTable.day, day),
          isNull(reconciliationRunsTable.failure),
          gt(reconciliationRunsTable.begunAt, at),
        ),
      )
      .orderBy(desc(reconciliationRunsTable.begunAt))
      .limit(1);
    // That run began later and is at least as recent.
    if (newer !== undefined) return { ok: true, run: newer };
    const sides = await readBothSides(tx, asked.providerRecords, asked.ours);
    return { ok: true, run: await recordRun(tx, sides, { day, at, by }) };
  });
}

/**
 * The provider's list of a day, and Midman's payments of that day. Leaves out payments that are missing from the list although the provider
 * reports them as paid: it dates them on another day.
 */
async function askProviderAboutDay(day: string, dated: readonly OwnRecord[], at: Date) {
  const listed = await listProviderRecords(day, at);
  if (!listed.ok) return listed;
  await recognizeListedInvoices(listed.rows);
  const names = new Set(listed.rows.map(({ key }) => key));
  const ours: OwnRecord[] = [];
  for (const one of dated) {
    const { paymentId, key, posted } = one;
    const lacking = paymentId !== null && posted !== 0 && !names.has(key ?? "");
    const found = lacking ? await isPaidThere(paymentId, posted, at) : ({ ok: true, paid: false } as const);
    if (!found.ok) return found;
    if (!found.paid) ours.push(one);
  }
  return { ok: true as const, providerRecords: listed.rows, ours };
}

async function readBothSides(
  tx: Tx,
  providerRecords: ProviderRecord[],
  dated: readonly OwnRecord[],
): Promise<ComparedSides> {
  const billed = await findBilledInvoices(tx, providerRecords);
  const others = await findPaymentsBookedFor(tx, providerRecords, billed);
  const names = new Set<string | null>(providerRecords.map(({ key }) => key));
  const listed = others.filter(({ key }) => names.has(key));
  const ownRecords = [...new Map([...dated, ...listed].map((one) => [one.id, one])).values()];
  return {
    providerRecords,
    ownRecords,
    others,
    billed,
    dealtWith: await findResolvedKeys(tx, providerRecords),
  };
}

type RunContext = { day: string; at: Date; by: AuditActor };

async function recordRun(
  tx: Tx,
  sides: ComparedSides,
  { day, at, by }: RunContext,
): Promise<ReconciliationRun> {
  const found = comparePayments(sides);
  const { opened, vanished } = await updateDifferences(tx, found, day, at);
  const paid = sides.providerRecords.filter(({ counts }) => counts);
  const booked = sides.ownRecords.filter(({ posted }) => posted !== 0);
  const [run] = await tx
    .insert(reconciliationRunsTable)
    .values({
      day,
      begunAt: at,
      begunBy: by.userId,
      thereCount: paid.length,
      thereSum: paid.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
      hereCount: booked.length,
      hereSum: booked.reduce((sum, { posted }) => sum + posted, 0),
      found: found.length,
      opened,
      vanished,
    })
    .returning();
  if (run === undefined) throw new Error("payments: a run was not kept");
  await recordRunEntry(tx, run, by, at);
  return run;
}

/**
 * Opens new differences, closes those that are gone, and reopens those that came back. A resolved difference stays resolved while its
 * figures are the same.
 */
async function updateDifferences(tx: Tx, found: readonly FoundDifference[], day: string, at: Date) {
  const before = await tx
    .select()
    .from(reconciliationTasksTable)
    .where(eq(reconciliationTasksTable.day, day))
    .for("update");
  const known = new Map(before.map((task) => [nameOf(task.cause, task.subject, task.figures), task]));
  const now = new Map(found.map((one) => [nameOf(one.cause, one.subject, figuresOf(one)), one]));
  const fresh = [...now].filter(([name]) => !known.has(name)).map(([, one]) => one);
  const opened: Difference[] = [];
  for (let from = 0; from < fresh.length; from += 500) {
    const rows = fresh.slice(from, from + 500);
    const made = await tx
      .insert(reconciliationTasksTable)
      .values(rows.map((one) => ({ ...one, day, figures: figuresOf(one), foundAt: at, seenAt: at })))
      .returning();
    opened.push(...made);
  }
  const seen = [...known].filter(([name]) => now.has(name)).map(([, task]) => task);
  const back = seen.filter(({ state }) => state === "vanished");
  const gone = [...known]
    .filter(([name, { state }]) => state === "open" && !now.has(name))
    .map(([, task]) => task);
  const ids = (of: readonly Difference[]) => of.map(({ id }) => id);
  await tx
    .update(reconciliationTasksTable)
    .set({ seenAt: at })
    .where(inArray(reconciliationTasksTable.id, ids(seen)));
  await tx
    .update(reconciliationTasksTable)
    .set({ state: "open", closedAt: null })
    .where(inArray(reconciliationTasksTable.id, ids(back)));
  await tx
    .update(reconciliationTasksTable)
    .set({ state: "vanished", closedAt: at })
    .where(inArray(reconciliationTasksTable.id, ids(gone)));
  await syncHoldsWithDifferences(tx, [...opened, ...back, ...gone], at);
  return { opened: fresh.length + back.length, vanished: gone.length };
}

function nameOf(cause: string, subject: string, figures: string): string {
  return JSON.stringify([cause, subject, figures]);
}

/** Other figures make another difference: a resolution of the old figures does not cover them. */
function figuresOf({ thereStatus, thereAmount, hereAmount }: FoundDifference): string {
  return [thereStatus ?? "-", thereAmount ?? "-", hereAmount ?? "-"].join(" ");
}

async function noteFailure(
  tx: Tx,
  input: RunContext & { failure: "PROVIDER_UNAVAILABLE" | "PROVIDER_REFUSED" },
): Promise<void> {
  const { day, at, by, failure } = input;
  const [run] = await tx
    .insert(reconciliationRunsTable)
    .values({ day, begunAt: at, begunBy: by.userId, failure })
    .returning();
  if (run !== undefined) await recordRunEntry(tx, run, by, at);
}

async function recordRunEntry(tx: Tx, run: ReconciliationRun, by: AuditActor, at: Date): Promise<void> {
  const { id, day, failure, thereCount, thereSum, hereCount, hereSum, found, opened, vanished } = run;
  const figures = { thereCount, thereSum, hereCount, hereSum, found, opened, vanished };
  const data = failure === null ? { run: id, ...figures } : { run: id, failure };
  await recordAuditEntry(tx, {
    by,
    action: failure === null ? "reconciliation.run" : "reconciliation.failed",
    at,
    subject: { kind: "reconciliation", id: day },
    data,
  });
}
