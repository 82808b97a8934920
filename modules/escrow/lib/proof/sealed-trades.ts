import { type SQL, sql } from "drizzle-orm";
import { digestOfRow, registerSealedRows, type SealedRows } from "#modules/audit";

/** A trade's row with its steps and disputes (`escrow.trade_digest`). */
const trades: SealedRows = {
  name: "trades",
  label: "trade",
  table: sql`escrow.trades`,
  digest: sql`escrow.trade_digest(r)`,
  // The second half: what a version without digests wrote of `command`, `createTrade`, `rolesChanged`, `eraseTrade` and `confirmInfo`.
  entryMatches: sql`e.subject_kind = 'transaction' AND e.action NOT LIKE 'hold.%' AND (e.data ? 'digest'
    OR e.action IN ('transaction.created', 'transaction.parties_swapped', 'transaction.erased', 'info_confirmed')
    OR (e.action LIKE 'transaction.%' AND e.data ? 'from' AND e.data ? 'held'))`,
  rowIdOfEntry: sql`e.subject_id`,
  bulkAction: "trades_digested",
};

registerSealedRows(trades);

/** SQL for what the entry about a changed trade seals; the caller holds the trade's lock and has written all of the change. */
export function digestOfTrade(id: number): SQL {
  return digestOfRow(trades, id);
}
