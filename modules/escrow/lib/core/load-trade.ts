import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { type Executor, runInSnapshot, type Tx } from "#db/client";
import { heldAmount, openHoldReasons, type Payout, payoutsOf } from "#modules/payments";
import { lockRoom } from "#modules/rooms";
import { lockTradeRow } from "../deadlines/deadlines.ts";
import { sellerDestination } from "../information/bank-account.ts";
import { splitInForce } from "../machine/dispute.ts";
import type { Deadlines, Dispute, Steps, Trade } from "../machine/trade-types.ts";
import { deadlinesTable, disputesTable, stepsTable, type TradeRow, tradesTable } from "./schema.ts";

/** Loads a trade as the machine sees it, read from one snapshot; undefined if there is none. */
export function loadTrade(id: number): Promise<Trade | undefined> {
  return runInSnapshot(async (tx) => {
    const [row] = await tx.select().from(tradesTable).where(eq(tradesTable.id, id));
    return row && tradeOf(tx, row);
  });
}

/**
 * Like `loadTrade`, for a change: locks the room, the trade and its deadlines, in this order. The facts are read by separate statements
 * after that, so that they include what other transactions committed while the locks were awaited.
 */
export async function lockTrade(tx: Tx, id: number): Promise<Trade | undefined> {
  const [seen] = await tx
    .select({ roomId: tradesTable.roomId })
    .from(tradesTable)
    .where(eq(tradesTable.id, id));
  if (seen === undefined) return undefined;
  await lockRoom(tx, seen.roomId);
  const row = await lockTradeRow(tx, eq(tradesTable.id, id));
  return row && tradeOf(tx, row);
}

/** Adds to a trade's row what other tables hold: steps, deadlines, the latest dispute, and what the ledger says. */
export async function tradeOf(exec: Tx, row: TradeRow): Promise<Trade> {
  const { disputedFrom: _, ...plain } = row;
  return {
    ...plain,
    steps: await stepsOf(exec, row.id),
    deadlines: await deadlinesOf(exec, row.id),
    dispute: await disputeOf(exec, row.id),
    held: await heldAmount(exec, row.id),
    moneySent: (await payoutsOf(exec, row.id)).some(hasLeft),
    sellerDestination: (await sellerDestination(exec, row.id)) !== null,
    holds: await openHoldReasons(exec, row.id),
  };
}

/** True if a payout's money came from the trade's escrow and has left, or may have. Money in suspense never belonged to the trade. */
export function hasLeft(payout: Payout): boolean {
  return payout.source === "escrow" && mayHaveLeft(payout);
}

/** True if the money of a payout or refund has left, or may have, whatever its source. */
export function mayHaveLeft({ state }: Pick<Payout, "state">): boolean {
  return ["sent", "done", "unknown"].includes(state);
}

async function stepsOf(exec: Executor, tradeId: number): Promise<Steps> {
  const rows = await exec.select().from(stepsTable).where(eq(stepsTable.tradeId, tradeId));
  return Object.fromEntries(rows.map(({ step, completedAt }) => [step, completedAt]));
}

/** The deadlines of a trade that are not closed. */
export async function deadlinesOf(exec: Executor, tradeId: number): Promise<Deadlines> {
  const live = await exec
    .select()
    .from(deadlinesTable)
    .where(and(eq(deadlinesTable.tradeId, tradeId), sql`${deadlinesTable.state} <> 'closed'`)); // worded as in the partial index
  return Object.fromEntries(live.map(({ kind, dueAt, pausedAt }) => [kind, { dueAt, pausedAt }]));
}

/** The same for many trades, in one query; a trade without open deadlines is left out. */
export async function deadlinesOfAll(
  exec: Executor,
  tradeIds: readonly number[],
): Promise<Map<number, Deadlines>> {
  const live = await exec
    .select()
    .from(deadlinesTable)
    .where(and(inArray(deadlinesTable.tradeId, [...tradeIds]), sql`${deadlinesTable.state} <> 'closed'`)); // worded as in the partial index
  const found = new Map<number, Deadlines>();
  for (const { tradeId, kind, dueAt, pausedAt } of live)
    found.set(tradeId, { ...found.get(tradeId), [kind]: { dueAt, pausedAt } });
  return found;
}

async function disputeOf(exec: Executor, tradeId: number): Promise<Dispute | null> {
  const rows = await exec
    .select()
    .from(disputesTable)
    .where(eq(disputesTable.tradeId, tradeId))
    .orderBy(asc(disputesTable.id));
  return rows.reduce<Dispute | null>((before, { openedBy, openedFrom: from, outcome, refundAmount }) => {
    return { openedBy, from, outcome, refundAmount, earlierSplit: splitInForce(before) };
  }, null);
}

/** The rows of many trades by id, for lists. */
export function tradeRows(exec: Executor, ids: readonly number[]): Promise<TradeRow[]> {
  return ids.length === 0
    ? Promise.resolve([])
    : exec
        .select()
        .from(tradesTable)
        .where(inArray(tradesTable.id, [...ids]));
}
