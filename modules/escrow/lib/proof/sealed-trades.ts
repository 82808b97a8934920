import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { digestOfRow, refuseAltered, registerSealedRows, type SealedRows } from "#modules/audit";

/** A trade's row with what belongs to it: steps, disputes, proposals, what its sides gave (`escrow.trade_digest`). */
const sealedTrades: SealedRows = {
  name: "trades",
  label: "trade",
  table: sql`escrow.trades`,
  digest: sql`escrow.trade_digest(r)`,
  // The second half: what a version without digests wrote of a trade and what belongs to it.
  entryMatches: sql`e.subject_kind = 'transaction' AND e.action NOT LIKE 'hold.%' AND (e.data ? 'digest'
    OR e.action LIKE 'transaction.%' OR e.action IN ('info_shared', 'info_confirmed', 'bank_info_given', 'bank_info_corrected',
      'contact_info_given', 'contact_info_corrected', 'refund_destination_given'))`,
  rowIdOfEntry: sql`e.subject_id`,
  bulkAction: "trades_digested",
};

registerSealedRows(sealedTrades);

/** SQL for what the entry about a changed trade seals; the caller holds the trade's lock and has written all of the change. */
export function digestOfTrade(id: number): SQL {
  return digestOfRow(sealedTrades, id);
}

/** Throws where a locked trade is not as the log last told of it (`refuseAltered`). */
export function refuseAlteredTrade(tx: Tx, id: number): Promise<void> {
  return refuseAltered(tx, sealedTrades, id);
}
