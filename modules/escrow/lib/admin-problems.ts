import { db } from "#db/client";
import { now } from "#db/clock";
import { type Actor, by } from "#modules/identity";
import { providerProblem, resolveProviderProblem } from "#modules/payments";
import { lockedAsAdmin } from "./acting.ts";
import { atomically, type Done, type Refused, refused } from "./outcomes.ts";

/**
 * An administrator has dealt with a row of the provider that could not be booked by rule, and says how. While one is open
 * its trade does not end as unpaid. The first word stands; repeating changes nothing. Refuses AUTH_REQUIRED, ADMIN_REQUIRED,
 * NOT_FOUND, OWN_TRADE.
 */
export async function resolveProblem(
  actor: Actor,
  problemId: number,
  { reason }: { reason: string },
): Promise<Done | Refused> {
  const at = now();
  const seen = await providerProblem(db(), problemId);
  return atomically(async (tx) => {
    const found = await lockedAsAdmin(tx, actor, seen?.reference ?? 0);
    if (!found.ok) return found.code === "TRANSACTION_NOT_FOUND" ? refused("NOT_FOUND") : found;
    const { trade, member } = found;
    const doer = { ...by(actor), userId: member.userId };
    const done = await resolveProviderProblem(tx, { id: problemId, by: doer, note: reason, at });
    return done.ok ? { ok: true, changed: true, trade } : refused(done.code);
  });
}
