import { and, asc, desc, isNotNull, isNull, lt } from "drizzle-orm";
import type { Executor } from "#db/client";
import { moneyFormLimits } from "../../forms.ts";
import { type Settlement, settlementsTable } from "../schema/settlements.ts";

/** Settlements that wait for a second administrator, the longest waiting first, at most `limit`. */
export function settlementsWaiting(exec: Executor, limit: number): Promise<Settlement[]> {
  return exec
    .select()
    .from(settlementsTable)
    .where(and(isNull(settlementsTable.confirmedAt), isNull(settlementsTable.discardedAt)))
    .orderBy(asc(settlementsTable.proposedAt), asc(settlementsTable.id))
    .limit(limit);
}

/** Posted settlements, newest first. `before` is the id of the last journal seen; `limit` is at most 100. */
export function settlementsRecorded(
  exec: Executor,
  input: { limit: number; before?: number | undefined },
): Promise<Settlement[]> {
  return exec
    .select()
    .from(settlementsTable)
    .where(
      input.before === undefined
        ? isNotNull(settlementsTable.journalId)
        : lt(settlementsTable.journalId, input.before),
    )
    .orderBy(desc(settlementsTable.journalId))
    .limit(Math.max(1, Math.min(input.limit, moneyFormLimits.page)));
}

/** Settlements discarded with a reason, newest first, at most `limit`; without entries that their proposer replaced. */
export function listDiscardedSettlements(exec: Executor, limit: number): Promise<Settlement[]> {
  return exec
    .select()
    .from(settlementsTable)
    .where(isNotNull(settlementsTable.discardReason))
    .orderBy(desc(settlementsTable.id))
    .limit(limit);
}
