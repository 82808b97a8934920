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

/**
 * Of holds that the caller has locked and not changed yet, those that are as the log last told of them. Midman itself changes no other: its
 * entry would seal what was altered, and a refusal would undo what the same transaction records of money. An altered hold stays as it
 * is, and so on hold and refused to people, until the operator has taken it; a check that is asked for names it to administrators.
 */
export async function withoutAlteredHolds(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const unaltered: number[] = [];
  for (const id of ids) if (!(await isAltered(tx, sealedHolds, id))) unaltered.push(id);
  const altered = ids.filter((id) => !unaltered.includes(id));
  if (altered.length > 0) {
    log().error({ holds: altered }, "payments: holds that were altered beside the log are left as they are");
    await enqueueLogCheckIfWhole(tx);
  }
  return unaltered;
}
