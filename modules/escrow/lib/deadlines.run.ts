import { and, asc, eq, lte } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { remindOf, tellOverdue } from "./deadlines.tell.ts";
import { nextMoment, noteDeadline, wakeDeadlinesWith } from "./deadlines.ts";
import { recordChange } from "./effects.ts";
import { expirePayment } from "./expire.ts";
import { lockTrade } from "./load.ts";
import type { Trade } from "./machine/types.ts";
import { type DeadlineRow, deadlines } from "./schema.ts";

const nobody = { userId: null };
/** How long after an unanswered check the end of a payment window is tried again. */
const RETRY_MS = 2 * 60_000;

wakeDeadlinesWith((id) => runDeadline(id, now()));
defineJob("escrow.deadlines", () => sweepDeadlines(now()).then(() => {}), { cron: "* * * * *" });

/** Does what every deadline wants done by now. The rows are the truth: a job that was lost costs a minute. */
export async function sweepDeadlines(at: Date): Promise<number> {
  const due = await db()
    .select({ id: deadlines.id })
    .from(deadlines)
    .where(lte(deadlines.nextAt, at))
    .orderBy(asc(deadlines.nextAt), asc(deadlines.id))
    .limit(500);
  for (const { id } of due) {
    // One that fails is tried by the next sweep; it must not keep the others waiting.
    await runDeadline(id, at).catch((error) => console.error(`escrow: deadline ${id}`, error));
  }
  return due.length;
}

/** Does what one deadline wants done now, if anything: reminds, marks it overdue, or ends the payment window. */
export async function runDeadline(id: number, at: Date): Promise<void> {
  const ending = await transaction((tx) => step(tx, id, at));
  if (ending === undefined) return;
  const ended = await expirePayment(ending, at);
  await transaction(async (tx) => {
    const row = await lockedRow(tx, id);
    if (row === undefined || row.nextAt === null) return;
    if (ended) await noteDeadline(tx, id, { nextAt: null });
    else await noteDeadline(tx, id, { nextAt: new Date(at.getTime() + RETRY_MS) });
  });
}

/** One step under the trade's lock; answers the trade whose payment window is over, for that asks the provider first. */
async function step(tx: Tx, id: number, at: Date): Promise<number | undefined> {
  const row = await lockedRow(tx, id);
  if (row === undefined || row.nextAt === null || row.state === "closed") return undefined;
  // It was moved since the job was made: that one comes again.
  if (row.nextAt > at) {
    await noteDeadline(tx, id, { nextAt: row.nextAt });
    return undefined;
  }
  const trade = await lockTrade(tx, row.tradeId);
  if (trade === undefined) return undefined;
  if (row.dueAt > at) {
    const reminded = row.reminded + 1;
    await noteDeadline(tx, id, { reminded, nextAt: nextMoment(row.kind, row.dueAt, reminded) });
    await remindOf(tx, trade, row);
    return undefined;
  }
  const window = row.kind === "payment_window";
  if (row.state !== "overdue") await markOverdue(tx, trade, row, at);
  if (!window) await noteDeadline(tx, id, { nextAt: null });
  return window ? row.tradeId : undefined;
}

async function markOverdue(tx: Tx, trade: Trade, row: DeadlineRow, at: Date): Promise<void> {
  await noteDeadline(tx, row.id, { state: "overdue", overdueAt: at });
  await recordChange(tx, trade, { at, by: nobody }, "overdue", { deadline: row.kind });
  await tellOverdue(tx, trade, row);
}

/** The row as it stands, with its room and trade locked before it as everywhere. */
async function lockedRow(tx: Tx, id: number): Promise<DeadlineRow | undefined> {
  const [seen] = await tx.select({ tradeId: deadlines.tradeId }).from(deadlines).where(eq(deadlines.id, id));
  if (seen === undefined) return undefined;
  await lockTrade(tx, seen.tradeId);
  const [row] = await tx
    .select()
    .from(deadlines)
    .where(and(eq(deadlines.id, id)))
    .for("update");
  return row;
}
