import { and, asc, desc, isNotNull, isNull, lt } from "drizzle-orm";
import type { Executor } from "#db/client";
import { moneyFormLimits } from "../../forms.ts";
import { type Settlement, settlementsTable } from "../schema/settlements.ts";

/** What a second administrator should confirm, the longest waiting first, at most so many. */
export function settlementsWaiting(exec: Executor, limit: number): Promise<Settlement[]> {
  return exec
    .select()
    .from(settlementsTable)
    .where(and(isNull(settlementsTable.confirmedAt), isNull(settlementsTable.laidAsideAt)))
    .orderBy(asc(settlementsTable.proposedAt), asc(settlementsTable.id))
    .limit(limit);
}

/** What was posted, newest first. `before` is the journal last seen; `limit` is 100 at most. */
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

/** What was laid aside with a reason, newest first, at most so many; what its proposer replaced is no part of it. */
export function settlementsLaidAside(exec: Executor, limit: number): Promise<Settlement[]> {
  return exec
    .select()
    .from(settlementsTable)
    .where(isNotNull(settlementsTable.asideReason))
    .orderBy(desc(settlementsTable.id))
    .limit(limit);
}
