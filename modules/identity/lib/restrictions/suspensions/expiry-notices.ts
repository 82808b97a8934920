import { and, asc, eq, isNull, lte } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { notifySuspensionInModules } from "../../core/identity-guards.ts";
import { holdUser } from "../../core/users/find-users.ts";
import { isSuspended } from "../restriction-in-force.ts";
import { restrictionsTable } from "../schema.ts";

defineJob("identity.suspension-expiry", () => notifyExpiredSuspensions(currentTime()), { cron: "* * * * *" });

/** Suspensions that expired and whose other parties have not been notified yet. */
const unnotifiedExpiryCondition = (at: Date) =>
  and(
    eq(restrictionsTable.kind, "suspend"),
    isNull(restrictionsTable.endedAt),
    isNull(restrictionsTable.confirmedAt),
    isNull(restrictionsTable.expiryNotifiedAt),
    lte(restrictionsTable.until, at),
  );

/**
 * Notifies the other parties of open trades that a person whose suspension has expired can respond again; once for each suspension, each in
 * its own transaction. Notifies nobody if the person has been suspended again, and not the parties of trades that began after the end.
 */
export async function notifyExpiredSuspensions(at: Date): Promise<void> {
  const expired = await db()
    .select({ id: restrictionsTable.id, userId: restrictionsTable.userId, until: restrictionsTable.until })
    .from(restrictionsTable)
    .where(unnotifiedExpiryCondition(at))
    .orderBy(asc(restrictionsTable.until));
  for (const { id, userId, until } of expired) {
    await runInTransaction(async (tx) => {
      const user = await holdUser(tx, userId);
      const marked = await tx
        .update(restrictionsTable)
        .set({ expiryNotifiedAt: at })
        .where(and(eq(restrictionsTable.id, id), unnotifiedExpiryCondition(at)))
        .returning({ id: restrictionsTable.id });
      if (marked.length === 0 || user === undefined || isSuspended(user, at)) return;
      // The parties of a trade that began since were never notified of the suspension.
      await notifySuspensionInModules(tx, userId, false, at, until);
    });
  }
}
