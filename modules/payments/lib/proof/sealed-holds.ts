import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { digestOfRow, refuseAltered, registerSealedRows, type SealedRows } from "#modules/audit";

/** One reason for which a trade is on hold (`payments.hold_digest`). */
const sealedHolds: SealedRows = {
  name: "holds",
  label: "hold",
  table: sql`payments.holds`,
  digest: sql`payments.hold_digest(r)`,
  entryMatches: sql`e.action IN ('hold.opened', 'hold.updated', 'hold.proposed', 'hold.cleared', 'hold.resolved')`,
  rowIdOfEntry: sql`e.data->>'hold'`,
  bulkAction: "holds_digested",
};

registerSealedRows(sealedHolds);

/** SQL for what the entry about a changed hold seals; the caller has written the change. */
export function digestOfHold(id: number): SQL {
  return digestOfRow(sealedHolds, id);
}

/** Throws where a hold, its reference locked, is not as the log last told of it (`refuseAltered`). */
export function refuseAlteredHold(tx: Tx, id: number): Promise<void> {
  return refuseAltered(tx, sealedHolds, id);
}
