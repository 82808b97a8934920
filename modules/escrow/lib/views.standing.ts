import type { Executor } from "#db/client";
import { type Payout, payoutsOf } from "#modules/payments";
import { type Trade, unpaid } from "./machine/types.ts";

/** What is true of a trade's money; `none`: nothing came and nothing will. The words are `money.<state>`. */
export type MoneyState = "none" | "waiting" | "held" | "released" | "returned" | "disputed";

/** The marks of a trade's line, in their order; the words are `line.<mark>`. */
type Mark = "agreed" | "paid" | "held" | "handedOver" | "confirmed" | "paidOut";

/** Where a trade stands, as every list, page and mail shows it. */
export type Standing = {
  money: MoneyState;
  /** The marks that are behind it. */
  done: Mark[];
  /** Over before its last mark: cancelled, or closed without money. */
  ended: boolean;
  /** The payout alone is missing, whatever marks were passed over because the sides did not confirm. */
  payingOut: boolean;
};

/** The columns it follows from. */
type Row = Pick<
  Trade,
  "status" | "confirmedAt" | "handedOverAt" | "buyerCompletedAt" | "sellerCompletedAt" | "endReason"
>;

/** Where a trade stands. Its refunds decide whether a cancelled one's money is still held or has gone back. */
export function standingOf(row: Row, payouts: readonly Pick<Payout, "kind" | "state">[]): Standing {
  return {
    money: moneyOf(row, payouts),
    done: doneOf(row),
    ended: row.status === "cancelled" || row.endReason === "closed",
    payingOut: row.status === "settlement_pending",
  };
}

function moneyOf(row: Row, payouts: readonly Pick<Payout, "kind" | "state">[]): MoneyState {
  if (unpaid.includes(row.status)) return "waiting";
  if (row.status === "disputed") return "disputed";
  if (row.status === "completed") return row.endReason === "closed" ? "none" : "released";
  if (row.status !== "cancelled") return "held";
  const refunds = payouts.filter(({ kind, state }) => kind === "refund" && state !== "void");
  if (refunds.length === 0) return "none";
  return refunds.every(({ state }) => state === "sent" || state === "done") ? "returned" : "held";
}

function doneOf(row: Row): Mark[] {
  const paidOut = row.status === "completed" && row.endReason !== "closed";
  const both = row.buyerCompletedAt !== null && row.sellerCompletedAt !== null;
  const marks: Array<[Mark, boolean]> = [
    ["agreed", true],
    ["paid", row.confirmedAt !== null],
    ["held", row.confirmedAt !== null],
    ["handedOver", row.handedOverAt !== null || row.buyerCompletedAt !== null],
    ["confirmed", both],
    ["paidOut", paidOut],
  ];
  return marks.filter(([, done]) => done || paidOut).map(([mark]) => mark);
}

/** The same for the rows of a list, whose payouts are read in one query. */
export async function standingsOf<R extends Row & { id: number }>(
  exec: Executor,
  rows: readonly R[],
): Promise<(row: R) => Standing> {
  const cancelled = rows.filter(({ status }) => status === "cancelled").map(({ id }) => id);
  const payouts = cancelled.length === 0 ? [] : await payoutsOf(exec, cancelled);
  return (row) =>
    standingOf(
      row,
      payouts.filter(({ reference }) => reference === row.id),
    );
}
