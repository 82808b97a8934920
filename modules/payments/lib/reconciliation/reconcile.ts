import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client";
import { type By, record } from "#modules/audit";
import { followDifferences } from "../holds/follow-differences.ts";
import { recogniseListed } from "../provider/recover-lost-invoice.ts";
import { type Difference, type Run, runs, tasks } from "../schema/reconciliation.ts";
import { compare, type Found, type Sides } from "./compare.ts";
import { billedBy, bookedFor, bookedOn, dealtWith, type Here } from "./own-records.ts";
import { isPaidThere, listedOf, type There } from "./provider-records.ts";

export type Reconciled =
  | { ok: true; run: Run }
  | { ok: false; code: "PROVIDER_UNAVAILABLE" | "PROVIDER_REFUSED" };

/**
 * Compares the provider's list of a Mongolian day (`yyyy-MM-dd`) with the ledger (design §6): each difference becomes one
 * task, those that have vanished since are closed, and no money moves. Safe to repeat and in parallel. The provider is
 * asked outside any transaction; while it does not answer the run is noted as failed and no task changes.
 */
export async function reconcileDay({ day, at, by }: { day: string; at: Date; by: By }): Promise<Reconciled> {
  // Ours first: what is booked while the provider answers is then no difference.
  const asked = await askedOf(day, await bookedOn(db(), day), at);
  if (!asked.ok) {
    const { code } = asked;
    await transaction((tx) => noteFailure(tx, { day, at, by, failure: code }));
    return { ok: false, code };
  }
  return transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`payments.reconcile:${day}`}, 0))`);
    const [newer] = await tx
      .select()
      .from(runs)
      .where(and(eq(runs.day, day), isNull(runs.failure), gt(runs.begunAt, at)))
      .orderBy(desc(runs.begunAt))
      .limit(1);
    // It was begun later and knows at least as much.
    if (newer !== undefined) return { ok: true, run: newer };
    const sides = await bothSides(tx, asked.there, asked.ours);
    return { ok: true, run: await keep(tx, sides, { day, at, by }) };
  });
}

/** What the provider lists of a day; and ours of it, but what the list lacks and it knows as paid: it dates that on another day. */
async function askedOf(day: string, dated: readonly Here[], at: Date) {
  const listed = await listedOf(day, at);
  if (!listed.ok) return listed;
  await recogniseListed(listed.rows);
  const names = new Set(listed.rows.map(({ key }) => key));
  const ours: Here[] = [];
  for (const one of dated) {
    const { paymentId, key, posted } = one;
    const lacking = paymentId !== null && posted !== 0 && !names.has(key ?? "");
    const found = lacking ? await isPaidThere(paymentId, posted, at) : ({ ok: true, paid: false } as const);
    if (!found.ok) return found;
    if (!found.paid) ours.push(one);
  }
  return { ok: true as const, there: listed.rows, ours };
}

async function bothSides(tx: Tx, there: There[], dated: readonly Here[]): Promise<Sides> {
  const billed = await billedBy(tx, there);
  const others = await bookedFor(tx, there, billed);
  const names = new Set<string | null>(there.map(({ key }) => key));
  const listed = others.filter(({ key }) => names.has(key));
  const here = [...new Map([...dated, ...listed].map((one) => [one.id, one])).values()];
  return { there, here, others, billed, dealtWith: await dealtWith(tx, there) };
}

type Doing = { day: string; at: Date; by: By };

async function keep(tx: Tx, sides: Sides, { day, at, by }: Doing): Promise<Run> {
  const found = compare(sides);
  const { opened, vanished } = await keepTasks(tx, found, day, at);
  const paid = sides.there.filter(({ counts }) => counts);
  const booked = sides.here.filter(({ posted }) => posted !== 0);
  const [run] = await tx
    .insert(runs)
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
  await note(tx, run, by, at);
  return run;
}

/** New ones open, gone ones close, one that came back opens again; what a person resolved stays so while it is the same. */
async function keepTasks(tx: Tx, found: readonly Found[], day: string, at: Date) {
  const before = await tx.select().from(tasks).where(eq(tasks.day, day)).for("update");
  const known = new Map(before.map((task) => [nameOf(task.cause, task.subject, task.figures), task]));
  const now = new Map(found.map((one) => [nameOf(one.cause, one.subject, figuresOf(one)), one]));
  const fresh = [...now].filter(([name]) => !known.has(name)).map(([, one]) => one);
  const opened: Difference[] = [];
  for (let from = 0; from < fresh.length; from += 500) {
    const rows = fresh.slice(from, from + 500);
    const made = await tx
      .insert(tasks)
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
    .update(tasks)
    .set({ seenAt: at })
    .where(inArray(tasks.id, ids(seen)));
  await tx
    .update(tasks)
    .set({ state: "open", closedAt: null })
    .where(inArray(tasks.id, ids(back)));
  await tx
    .update(tasks)
    .set({ state: "vanished", closedAt: at })
    .where(inArray(tasks.id, ids(gone)));
  await followDifferences(tx, [...opened, ...back, ...gone], at);
  return { opened: fresh.length + back.length, vanished: gone.length };
}

function nameOf(cause: string, subject: string, figures: string): string {
  return JSON.stringify([cause, subject, figures]);
}

/** Other figures are another difference: what was said of the old ones does not hold for them. */
function figuresOf({ thereStatus, thereAmount, hereAmount }: Found): string {
  return [thereStatus ?? "-", thereAmount ?? "-", hereAmount ?? "-"].join(" ");
}

async function noteFailure(
  tx: Tx,
  input: Doing & { failure: "PROVIDER_UNAVAILABLE" | "PROVIDER_REFUSED" },
): Promise<void> {
  const { day, at, by, failure } = input;
  const [run] = await tx.insert(runs).values({ day, begunAt: at, begunBy: by.userId, failure }).returning();
  if (run !== undefined) await note(tx, run, by, at);
}

async function note(tx: Tx, run: Run, by: By, at: Date): Promise<void> {
  const { id, day, failure, thereCount, thereSum, hereCount, hereSum, found, opened, vanished } = run;
  const figures = { thereCount, thereSum, hereCount, hereSum, found, opened, vanished };
  const data = failure === null ? { run: id, ...figures } : { run: id, failure };
  await record(tx, {
    by,
    action: failure === null ? "reconciliation.run" : "reconciliation.failed",
    at,
    subject: { kind: "reconciliation", id: day },
    data,
  });
}
