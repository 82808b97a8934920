import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { digestOfRow, refuseAltered, registerSealedRows, type SealedRows } from "#modules/audit";

/** A payout's or refund's record (`payments.payout_digest`). */
const sealedTransfers: SealedRows = {
  name: "transfers",
  label: "transfer",
  table: sql`payments.payouts`,
  digest: sql`payments.payout_digest(r)`,
  entryMatches: sql`e.subject_kind IN ('payout', 'refund') AND e.data ? 'after'`,
  rowIdOfEntry: sql`e.subject_id`,
  bulkAction: "transfers_digested",
};

registerSealedRows(sealedTransfers);

/** SQL for what the entry about a step of a record seals; the caller holds the record's lock and has written the step. */
export function digestOfTransfer(id: number): SQL {
  return digestOfRow(sealedTransfers, id);
}

/** Throws where a transfer, its reference locked, is not as the log last told of it (`refuseAltered`). */
export function refuseAlteredTransfer(tx: Tx, id: number): Promise<void> {
  return refuseAltered(tx, sealedTransfers, id);
}
