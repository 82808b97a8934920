import { and, asc, eq, isNull, lte } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { holdUser } from "../core/find-users.ts";
import { notifySuspensionAbove } from "../core/identity-guards.ts";
import { isSuspended } from "./restriction-in-force.ts";
import { restrictions } from "./schema.ts";

defineJob("identity.suspension-expiry", () => notifyExpiredSuspensions(now()), { cron: "* * * * *" });

/** Suspensions that have run out, that nobody ended before, and of whose end nobody was notified. */
const unnotified = (at: Date) =>
  and(
    eq(restrictions.kind, "suspend"),
    isNull(restrictions.endedAt),
    isNull(restrictions.confirmedAt),
    isNull(restrictions.expiryNotifiedAt),
    lte(restrictions.until, at),
  );

/**
 * Notifies the other parties of open trades that a person whose suspension has run out can answer again, once for each suspension and each
 * in a transaction of its own. Notifies nobody where the person is suspended again by now.
 */
export async function notifyExpiredSuspensions(at: Date): Promise<void> {
  const expired = await db()
    .select({ id: restrictions.id, userId: restrictions.userId })
    .from(restrictions)
    .where(unnotified(at))
    .orderBy(asc(restrictions.until));
  for (const { id, userId } of expired) {
    await transaction(async (tx) => {
      const user = await holdUser(tx, userId);
      const marked = await tx
        .update(restrictions)
        .set({ expiryNotifiedAt: at })
        .where(and(eq(restrictions.id, id), unnotified(at)))
        .returning({ id: restrictions.id });
      if (marked.length === 0 || user === undefined || isSuspended(user, at)) return;
      await notifySuspensionAbove(tx, userId, false, at);
    });
  }
}
