import type { Executor } from "#db/client";
import { type Payout, payoutsOf } from "#modules/payments";
import { type Trade, unpaidStatuses } from "../../machine/trade-types.ts";

/** What is true of a trade's money; `none`: nothing came and nothing will. The words are `money.<state>`. */
export type MoneyState = "none" | "waiting" | "held" | "released" | "returned" | "disputed";

/** The marks of a trade's line, in their order; the words are `line.<mark>`. */
type Mark = "agreed" | "paid" | "held" | "handedOver" | "confirmed" | "paidOut";

/** Where a trade stands, as every list, page and mail shows it. */
export type TradeProgress = {
  money: MoneyState;
  /** The marks that are behind it. */
  done: Mark[];
  /** Over before its last mark: cancelled, or closed without money. */
  ended: boolean;
  /** The payout alone is missing, whatever marks were passed over because the sides did not confirm. */
  payingOut: boolean;
  /** The buyer confirmed although no hand-over is recorded: that mark is passed over, never done. */
  handOverSkipped: boolean;
};

/** The columns it follows from. */
type Row = Pick<
  Trade,
  "status" | "confirmedAt" | "handedOverAt" | "buyerCompletedAt" | "sellerCompletedAt" | "endReason"
>;

type ProgressPayout = Pick<Payout, "kind" | "state" | "source">;

/**
 * Where a trade stands. Its transfers decide whether the money of one that has ended is still held: a cancelled one's until its refunds
 * have left, a completed one's where a transfer did not arrive.
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

/** A transfer of the trade's own money that is to leave: once the trade is complete, one that did not arrive and is made again. */
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
  // Money that was paid out says that all before it was passed, but not that anything was handed over.
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
