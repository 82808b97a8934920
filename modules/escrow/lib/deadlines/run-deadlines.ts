import { asc, eq, lte } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { log } from "#db/log";
import { claimGap, type OnGap } from "#db/startup/heartbeat";
import { recordChange } from "../core/carry-out-effects.ts";
import { lockTrade } from "../core/load-trade.ts";
import { type DeadlineRow, deadlinesTable } from "../core/schema.ts";
import type { Trade } from "../machine/trade-types.ts";
import { expirePayment } from "../payment/expire-payment.ts";
import { extendDeadlines, nextMoment, updateDeadline, wakeDeadlinesWith } from "./deadlines.ts";
import { mailOverdue, mailReminder } from "./remind.ts";

const systemAuthor = { userId: null };
/** How many ms after an unanswered check the end of a payment window is tried again. */
const RETRY_MS = 2 * 60_000;

wakeDeadlinesWith(async (id) => {
  const at = currentTime();
  await claimGap(extendAfterGap, at);
  await runDeadline(id, at);
});
defineJob("escrow.deadlines", () => sweepAwake(currentTime()).then(() => {}), { cron: "* * * * *" });

/** Extends every running deadline by the time in which no instance ran, in the transaction that claims the gap. */
export const extendAfterGap: OnGap = async (gap, at, tx) => {
  await extendDeadlines(tx, gap, at);
};

/** Sweeps after a possible gap: first extends the deadlines by the time in which no instance ran. */
export async function sweepAwake(at: Date): Promise<number> {
  await claimGap(extendAfterGap, at);
  return sweepDeadlines(at);
}

/**
 * Runs every deadline that is due for work, at most 500 of them, and returns their number. The rows are the source of truth, so a lost job
 * costs a minute.
 */
export async function sweepDeadlines(at: Date): Promise<number> {
  const due = await db()
    .select({ id: deadlinesTable.id })
    .from(deadlinesTable)
    .where(lte(deadlinesTable.nextAt, at))
    .orderBy(asc(deadlinesTable.nextAt), asc(deadlinesTable.id))
    .limit(500);
  for (const { id } of due) {
    // The next sweep retries one that fails; it must not delay the others.
    await runDeadline(id, at).catch((err) => log().error({ err, deadline: id }, "escrow: a deadline"));
  }
  return due.length;
}

/** Runs one deadline, if it is due for work: sends a reminder, marks it overdue, or ends the payment window. */
export async function runDeadline(id: number, at: Date): Promise<void> {
  const ending = await runInTransaction((tx) => runDeadlineStep(tx, id, at));
  if (ending === undefined) return;
  let over = false;
  try {
    over = await expirePayment(ending, at);
  } finally {
    // While a check is unanswered this ends nothing, and the row is tried again.
    if (!over) await runInTransaction((tx) => markWindowOverdue(tx, id, at));
  }
}

/** Takes one step under the trade's lock. Returns the trade whose payment window is over: ending that asks the provider first. */
async function runDeadlineStep(tx: Tx, id: number, at: Date): Promise<number | undefined> {
  const found = await lockDeadline(tx, id);
  if (found === undefined || found.row.nextAt === null) return undefined;
  const { row, trade } = found;
  // The deadline was moved after this job was enqueued: schedule the job again.
  if (found.row.nextAt > at) {
    await updateDeadline(tx, id, { nextAt: found.row.nextAt });
    return undefined;
  }
  if (row.dueAt > at) {
    const reminded = row.reminded + 1;
    await updateDeadline(tx, id, { reminded, nextAt: nextMoment(row.kind, row.dueAt, reminded) });
    await mailReminder(tx, trade, row);
    return undefined;
  }
  if (row.kind === "payment_window") {
    await updateDeadline(tx, id, { nextAt: new Date(at.getTime() + RETRY_MS) });
    return row.tradeId;
  }
  await markOverdue(tx, found, { at, nextAt: null });
  return undefined;
}

/** Marks a payment window that could not be ended as overdue, unless the trade was paid or the window moved meanwhile. */
async function markWindowOverdue(tx: Tx, id: number, at: Date): Promise<void> {
  const found = await lockDeadline(tx, id);
  if (found?.row.state !== "running" || found.row.dueAt > at) return;
  await markOverdue(tx, found, { at, nextAt: found.row.nextAt });
}

async function markOverdue(
  tx: Tx,
  { row, trade }: LockedDeadline,
  { at, nextAt }: { at: Date; nextAt: Date | null },
) {
  await updateDeadline(tx, row.id, { state: "overdue", overdueAt: row.overdueAt ?? at, nextAt });
  await recordChange(tx, trade, { at, by: systemAuthor }, "overdue", { deadline: row.kind });
  await mailOverdue(tx, trade, row);
}

type LockedDeadline = { row: DeadlineRow; trade: Trade };

/** Locks a deadline and its trade in the lock order of all transactions: room, trade, then the deadline. */
async function lockDeadline(tx: Tx, id: number): Promise<LockedDeadline | undefined> {
  const [seen] = await tx
    .select({ tradeId: deadlinesTable.tradeId })
    .from(deadlinesTable)
    .where(eq(deadlinesTable.id, id));
  const trade = seen && (await lockTrade(tx, seen.tradeId));
  const [row] = await tx.select().from(deadlinesTable).where(eq(deadlinesTable.id, id)).for("update");
  return row && trade && { row, trade };
}
