import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { digestOfRow, refuseAltered, registerSealedRows, type SealedRows } from "#modules/audit";

/** How payouts and refunds are compared with the log: their digest is `payments.payout_digest`. */
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

/** SQL for the digest that the audit entry of a payout's step stores; the caller has locked the payout and written the step. */
export function digestOfTransfer(id: number): SQL {
  return digestOfRow(sealedTransfers, id);
}

/** Throws RecordAltered if a payout differs from its last audit entry (`refuseAltered`). The caller has locked its reference. */
export function refuseAlteredTransfer(tx: Tx, id: number): Promise<void> {
  return refuseAltered(tx, sealedTransfers, id);
}
