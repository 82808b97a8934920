import type { z } from "zod";
import type { Executor } from "#db/client";
import { type Payout, payoutsOf } from "#modules/payments";
import type { moneyStateSchema, progressMarkSchema, tradeProgressSchema } from "../../core/responses.ts";
import { type Trade, unpaidStatuses } from "../../machine/trade-types.ts";

export type MoneyState = z.output<typeof moneyStateSchema>;
type Mark = z.output<typeof progressMarkSchema>;
export type TradeProgress = z.output<typeof tradeProgressSchema>;

/** The columns from which the progress is computed. */
type Row = Pick<
  Trade,
  "status" | "confirmedAt" | "handedOverAt" | "buyerCompletedAt" | "sellerCompletedAt" | "endReason"
>;

type ProgressPayout = Pick<Payout, "kind" | "state" | "source">;

/**
 * The progress of a trade. Its payouts decide whether the money of an ended trade is still held: that of a cancelled trade until its
 * refunds have left, that of a completed one if a transfer did not arrive.
 */
export function tradeProgressOf(row: Row, payouts: readonly ProgressPayout[]): TradeProgress {
  const money = moneyOf(row, payouts);
  return {
    money,
    done: doneOf(row, money),
    ended: row.status === "cancelled" || row.endReason === "closed",
    payingOut: row.status === "settlement_pending",
    handOverSkipped: row.handedOverAt === null && row.buyerCompletedAt !== null,
  };
}

function moneyOf(row: Row, payouts: readonly ProgressPayout[]): MoneyState {
  if (unpaidStatuses.includes(row.status)) return "waiting";
  if (row.status === "disputed") return "disputed";
  if (row.status === "completed") {
    if (row.endReason === "closed") return "none";
    return payouts.some(isOutstanding) ? "held" : "released";
  }
  if (row.status !== "cancelled") return "held";
  const refunds = payouts.filter(({ kind, state }) => kind === "refund" && state !== "void");
  if (refunds.length === 0) return "none";
  return refunds.every(({ state }) => state === "sent" || state === "done") ? "returned" : "held";
}

/**
 * True for a payout of the trade's own money that has yet to leave: once the trade is complete, one that did not arrive and is made again.
 */
function isOutstanding({ source, state }: ProgressPayout): boolean {
  return source === "escrow" && (state === "due" || state === "approved");
}

function doneOf(row: Row, money: MoneyState): Mark[] {
  const paidOut = row.status === "completed" && money === "released";
  const both = row.buyerCompletedAt !== null && row.sellerCompletedAt !== null;
  const marks: Array<[Mark, boolean]> = [
    ["agreed", true],
    ["paid", row.confirmedAt !== null],
    ["held", row.confirmedAt !== null],
    ["handedOver", row.handedOverAt !== null],
    ["confirmed", both],
    ["paidOut", paidOut],
  ];
  // If the money was paid out, every earlier mark was passed, except that nothing need have been handed over.
  return marks.filter(([mark, done]) => done || (paidOut && mark !== "handedOver")).map(([mark]) => mark);
}

/** The same for the rows of a list, whose payouts are read in one query. */
export async function tradeProgressOfAll<R extends Row & { id: number }>(
  exec: Executor,
  rows: readonly R[],
): Promise<(row: R) => TradeProgress> {
  const over = rows
    .filter(({ status }) => status === "cancelled" || status === "completed")
    .map(({ id }) => id);
  const payouts = over.length === 0 ? [] : await payoutsOf(exec, over);
  return (row) =>
    tradeProgressOf(
      row,
      payouts.filter(({ reference }) => reference === row.id),
    );
}
