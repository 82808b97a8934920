import { and, asc, eq, gt, inArray, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "#db/client";
import { defineJob, type Job } from "#db/jobs";
import { recordAuditEntry } from "#modules/audit";
import { postponeDuePayouts } from "#modules/payments";
import { type DeadlineRow, deadlinesTable, type TradeRow, tradesTable } from "../core/schema.ts";
import { startingDeadline } from "../machine/deadline-times.ts";
import type { Deadline, DeadlineKind, Deadlines } from "../machine/trade-types.ts";
import { deadlineKinds } from "../machine/trade-types.ts";
import { refuseAlteredTrade } from "../proof/sealed-trades.ts";

const minuteMs = 60_000;

/** How many minutes before each deadline its reminders are sent. */
export const reminderMinutes: Record<DeadlineKind, readonly number[]> = {
  payment_window: [30],
  hand_over: [240],
  buyer_finish: [360],
  admin_review: [],
  seller_finish: [360],
  payout: [60],
  refund_account: [360],
  dispute_statements: [360],
  dispute_ruling: [720],
};

let deadlineJob: Job<{ id: number }> | undefined;

/** Registers the handler of the deadline job. `run-deadlines.ts` does so; its sweep also handles rows whose job was lost. */
export function wakeDeadlinesWith(handler: (id: number) => Promise<void>): void {
  deadlineJob = defineJob("escrow.deadline", z.object({ id: z.int() }), ({ id }) => handler(id));
}

async function scheduleDeadline(tx: Tx, { id, nextAt }: DeadlineRow): Promise<void> {
  if (nextAt !== null) await deadlineJob?.enqueue(tx, { id }, { startAfter: nextAt, key: `deadline:${id}` });
}

/**
 * Locks the one trade that `which` matches, checks it against its latest entry in the audit log, and locks its open deadlines. The caller
 * holds the room's lock.
 */
export async function lockTradeRow(tx: Tx, which: SQL): Promise<TradeRow | undefined> {
  const [row] = await tx.select().from(tradesTable).where(which).for("update");
  if (row === undefined) return undefined;
  await refuseAlteredTrade(tx, row.id);
  await lockDeadlines(tx, row.id);
  return row;
}

/**
 * Locks the open deadlines of a trade after the trade and before any of its money. Everyone locks them in the order of their ids,
 * `extendDeadlines` too, so that no two transactions deadlock.
 */
async function lockDeadlines(tx: Tx, tradeId: number): Promise<void> {
  await tx
    .select({ id: deadlinesTable.id })
    .from(deadlinesTable)
    .where(and(eq(deadlinesTable.tradeId, tradeId), ne(deadlinesTable.state, "closed")))
    .orderBy(asc(deadlinesTable.id))
    .for("update");
}

/** Starts, moves, pauses and closes a trade's deadline rows, which the caller has locked, as the machine decided. */
export async function writeDeadlines(
  tx: Tx,
  tradeId: number,
  before: Deadlines,
  after: Deadlines,
  at: Date,
): Promise<void> {
  for (const kind of deadlineKinds) {
    const [old, next] = [before[kind], after[kind]];
    if (next === undefined) {
      if (old !== undefined) await closeDeadline(tx, tradeId, kind, at);
    } else if (old === undefined) {
      await startDeadline(tx, tradeId, kind, next, at);
    } else if (old.dueAt.getTime() !== next.dueAt.getTime() || !sameTime(old.pausedAt, next.pausedAt)) {
      await moveDeadline(tx, tradeId, kind, next, {
        restarts: old.pausedAt === null && next.pausedAt === null,
      });
    }
  }
}

async function startDeadline(
  tx: Tx,
  tradeId: number,
  kind: DeadlineKind,
  next: Deadline,
  at: Date,
): Promise<void> {
  const nextAt = nextMoment(kind, next.dueAt, 0);
  const [row] = await tx
    .insert(deadlinesTable)
    .values({ tradeId, kind, state: "running", startedAt: at, dueAt: next.dueAt, nextAt })
    .returning();
  if (row !== undefined) await scheduleDeadline(tx, row);
}

/**
 * A restarted deadline (`restarts`) has not been extended, and no reminder of it was sent. One that was overdue before it was paused is overdue
 * again when it resumes, and was already reported as such.
 */
async function moveDeadline(
  tx: Tx,
  tradeId: number,
  kind: DeadlineKind,
  { dueAt, pausedAt }: Deadline,
  { restarts }: { restarts: boolean },
): Promise<void> {
  const [row] = await tx.select().from(deadlinesTable).where(matchLiveDeadline(tradeId, kind));
  if (row === undefined) return;
  const { extendedMs, reminded, overdueAt } = restarts
    ? { extendedMs: 0, reminded: 0, overdueAt: null }
    : row;
  const going = overdueAt === null ? "running" : "overdue";
  const state = pausedAt === null ? going : "paused";
  const nextAt = state === "running" ? nextMoment(kind, dueAt, reminded) : null;
  await updateDeadline(tx, row.id, { state, dueAt, pausedAt, extendedMs, reminded, overdueAt, nextAt });
}

/** Starts a deadline now, unless it is already open. Returns its end. */
export async function ensureDeadline(tx: Tx, tradeId: number, kind: DeadlineKind, at: Date): Promise<Date> {
  const [row] = await tx
    .select({ dueAt: deadlinesTable.dueAt })
    .from(deadlinesTable)
    .where(matchLiveDeadline(tradeId, kind));
  if (row !== undefined) return row.dueAt;
  const next = startingDeadline(kind, at);
  await startDeadline(tx, tradeId, kind, next, at);
  return next.dueAt;
}

/** Closes a deadline, if it is open. */
export async function closeDeadline(tx: Tx, tradeId: number, kind: DeadlineKind, at: Date): Promise<void> {
  await tx
    .update(deadlinesTable)
    .set({ state: "closed", closedAt: at, nextAt: null, pausedAt: null })
    .where(matchLiveDeadline(tradeId, kind));
}

const matchLiveDeadline = (tradeId: number, kind: DeadlineKind) =>
  and(eq(deadlinesTable.tradeId, tradeId), eq(deadlinesTable.kind, kind), ne(deadlinesTable.state, "closed"));

/** When a deadline is next due for work: at its next reminder, or at its end. */
export function nextMoment(kind: DeadlineKind, dueAt: Date, reminded: number): Date {
  const before = reminderMinutes[kind][reminded];
  return before === undefined ? dueAt : new Date(dueAt.getTime() - before * minuteMs);
}

/** Updates a deadline and schedules its job for `nextAt`, if there is one. */
export async function updateDeadline(
  tx: Tx,
  id: number,
  change: Partial<Omit<DeadlineRow, "id" | "tradeId" | "kind">>,
): Promise<void> {
  const [row] = await tx.update(deadlinesTable).set(change).where(eq(deadlinesTable.id, id)).returning();
  if (row !== undefined) await scheduleDeadline(tx, row);
}

/**
 * Extends every deadline that was running during a gap of `gap` ms in which Midman itself did not run, and the due times of payouts, by
 * that gap. A deadline that was overdue before the gap stays overdue.
 */
export async function extendDeadlines(tx: Tx, gap: number, at: Date): Promise<void> {
  const extended = await extendRunning(tx, gap, at);
  const payouts = await postponeDuePayouts(tx, gap, at);
  if (extended + payouts === 0) return;
  const data = { gapSeconds: Math.round(gap / 1000), deadlines: extended, payouts };
  await recordAuditEntry(tx, { by: { userId: null }, action: "deadlines.extended", at, data });
}

async function extendRunning(tx: Tx, gap: number, at: Date): Promise<number> {
  const by = sql`make_interval(secs => ${gap / 1000})`;
  const ran = and(
    eq(deadlinesTable.state, "running"),
    isNotNull(deadlinesTable.nextAt),
    gt(deadlinesTable.dueAt, new Date(at.getTime() - gap)),
  );
  const rows = await tx
    .select({ id: deadlinesTable.id })
    .from(deadlinesTable)
    .where(ran)
    .orderBy(asc(deadlinesTable.id))
    .for("update");
  const ids = rows.map(({ id }) => id);
  await tx
    .update(deadlinesTable)
    .set({
      dueAt: sql`${deadlinesTable.dueAt} + ${by}`,
      nextAt: sql`${deadlinesTable.nextAt} + ${by}`,
      extendedMs: sql`${deadlinesTable.extendedMs} + ${Math.round(gap)}`,
    })
    .where(inArray(deadlinesTable.id, ids));
  return ids.length;
}

function sameTime(a: Date | null, b: Date | null): boolean {
  return a?.getTime() === b?.getTime();
}
