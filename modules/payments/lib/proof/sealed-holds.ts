import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { log } from "#db/log";
import {
  digestOfRow,
  enqueueLogCheckIfWhole,
  isAltered,
  refuseAltered,
  registerSealedRows,
  type SealedRows,
} from "#modules/audit";

/** How holds are compared with the log: their digest is `payments.hold_digest`. */
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

/** SQL for the digest that the audit entry of a changed hold stores; the caller has written the change. */
export function digestOfHold(id: number): SQL {
  return digestOfRow(sealedHolds, id);
}

/** Throws RecordAltered if a hold differs from its last audit entry (`refuseAltered`). The caller has locked its reference. */
export function refuseAlteredHold(tx: Tx, id: number): Promise<void> {
  return refuseAltered(tx, sealedHolds, id);
}

/**
 * Filters holds that the caller has locked but not changed yet: returns those that match their last audit entry. Midman changes no others:
 * a new entry would seal the alteration, and a refusal would roll back what the same transaction records of money. An altered hold
 * therefore stays open, and administrators cannot resolve it, until the operator has accepted it; the verification enqueued here reports it
 * to the administrators.
 */
export async function withoutAlteredHolds(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const unaltered: number[] = [];
  for (const id of ids) if (!(await isAltered(tx, sealedHolds, id))) unaltered.push(id);
  const altered = ids.filter((id) => !unaltered.includes(id));
  if (altered.length > 0) {
    log().error({ holds: altered }, "payments: holds that differ from what the log sealed are not changed");
    await enqueueLogCheckIfWhole(tx);
  }
  return unaltered;
}
