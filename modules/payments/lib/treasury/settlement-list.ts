import { and, asc, desc, isNotNull, isNull, lt } from "drizzle-orm";
import type { Executor } from "#db/client";
import { limits } from "../../forms.ts";
import { type Settlement, settlements } from "../schema/settlements.ts";

/** What a second administrator should confirm, the longest waiting first, at most so many. */
export function settlementsWaiting(exec: Executor, limit: number): Promise<Settlement[]> {
  return exec
    .select()
    .from(settlements)
    .where(and(isNull(settlements.confirmedAt), isNull(settlements.laidAsideAt)))
    .orderBy(asc(settlements.proposedAt), asc(settlements.id))
    .limit(limit);
}

/** What was posted, newest first. `before` is the journal last seen; `limit` is 100 at most. */
export function settlementsRecorded(
  exec: Executor,
  input: { limit: number; before?: number | undefined },
): Promise<Settlement[]> {
  return exec
    .select()
    .from(settlements)
    .where(
      input.before === undefined ? isNotNull(settlements.journalId) : lt(settlements.journalId, input.before),
    )
    .orderBy(desc(settlements.journalId))
    .limit(Math.max(1, Math.min(input.limit, limits.page)));
}

/** What was laid aside with a reason, newest first, at most so many; what its proposer replaced is no part of it. */
export function settlementsLaidAside(exec: Executor, limit: number): Promise<Settlement[]> {
  return exec
    .select()
    .from(settlements)
    .where(isNotNull(settlements.asideReason))
    .orderBy(desc(settlements.id))
    .limit(limit);
}
