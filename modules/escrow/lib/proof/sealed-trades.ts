import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { digestOfRow, refuseAltered, registerSealedRows, type SealedRows } from "#modules/audit";

/** A trade's row with what belongs to it: steps, disputes, proposals and what its parties gave (`escrow.trade_digest`). */
const sealedTrades: SealedRows = {
  name: "trades",
  label: "trade",
  table: sql`escrow.trades`,
  digest: sql`escrow.trade_digest(r)`,
  // The part after OR: what a version without digests wrote about a trade and what belongs to it.
  entryMatches: sql`e.subject_kind = 'transaction' AND e.action NOT LIKE 'hold.%' AND (e.data ? 'digest'
    OR e.action LIKE 'transaction.%' OR e.action IN ('info_shared', 'info_confirmed', 'bank_info_given', 'bank_info_corrected',
      'contact_info_given', 'contact_info_corrected', 'refund_destination_given'))`,
  rowIdOfEntry: sql`e.subject_id`,
  bulkAction: "trades_digested",
};

registerSealedRows(sealedTrades);

/** SQL for the digest that the entry about a changed trade seals. The caller holds the trade's lock and has written the whole change. */
export function digestOfTrade(id: number): SQL {
  return digestOfRow(sealedTrades, id);
}

/** Throws if a locked trade differs from what the log last recorded (`refuseAltered`). */
export function refuseAlteredTrade(tx: Tx, id: number): Promise<void> {
  return refuseAltered(tx, sealedTrades, id);
}
