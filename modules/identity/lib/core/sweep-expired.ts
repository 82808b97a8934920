import { subYears } from "date-fns";
import { and, eq, exists, isNull, lt, or } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { RECORD_YEARS } from "#modules/audit";
import { sweepIdentifierHashes } from "../restrictions/linked-accounts.ts";
import { sweepSuspendedSessions } from "../restrictions/suspended-sessions.ts";
import { sessionLifetimes } from "./lifetimes.ts";
import {
  loginTickets,
  passkeyChallenges,
  profileChanges,
  secondFactors,
  sessions,
  tokens,
  users,
} from "./schema.ts";

defineJob("identity.sweep", () => sweep(now()), { cron: "17 * * * *" });

/**
 * Removes the sessions, links, login tickets and challenges that have run out. They were dead already; this frees addresses and
 * devices. Hashes of restricted people go two years after their restrictions ended. A second factor that was begun a day ago and never confirmed goes too, and after two years what a profile was before.
 */
export async function sweep(now: Date): Promise<void> {
  const unused = new Date(now.getTime() - sessionLifetimes(false).idle);
  await db()
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, now), lt(sessions.lastSeenAt, unused)));
  await db().delete(tokens).where(lt(tokens.expiresAt, now));
  await db().delete(loginTickets).where(lt(loginTickets.expiresAt, now));
  await db().delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, now));
  await db()
    .delete(profileChanges)
    .where(lt(profileChanges.at, subYears(now, RECORD_YEARS)));
  await sweepSuspendedSessions(db(), now);
  await sweepIdentifierHashes(db(), subYears(now, RECORD_YEARS));
  const off = db()
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, secondFactors.userId), isNull(users.secondFactorAt)));
  const begun = new Date(now.getTime() - 24 * 3_600_000);
  await db()
    .delete(secondFactors)
    .where(and(lt(secondFactors.begunAt, begun), exists(off)));
}
