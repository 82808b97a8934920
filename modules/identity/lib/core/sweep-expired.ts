import { subYears } from "date-fns/subYears";
import { and, eq, exists, isNull, lt, or } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { RECORD_YEARS } from "#modules/audit";
import { sweepIdentifierHashes } from "../restrictions/linked-accounts.ts";
import { sweepSuspendedSessions } from "../restrictions/suspensions/suspended-sessions.ts";
import { sessionLifetimes } from "./lifetimes.ts";
import {
  loginTicketsTable,
  passkeyChallengesTable,
  profileChangesTable,
  secondFactorsTable,
  sessionsTable,
  tokensTable,
  usersTable,
} from "./schema.ts";

defineJob("identity.sweep", () => sweepExpiredRows(currentTime()), { cron: "17 * * * *" });

/**
 * Removes expired sessions, links, login tickets and challenges. They no longer worked; removing them frees IP addresses and devices. Also
 * removes a second factor begun a day ago and never confirmed, and, after two years, earlier profile values and the hashes of people whose
 * restrictions have ended.
 */
export async function sweepExpiredRows(now: Date): Promise<void> {
  const unused = new Date(now.getTime() - sessionLifetimes(false).idle);
  await db()
    .delete(sessionsTable)
    .where(or(lt(sessionsTable.expiresAt, now), lt(sessionsTable.lastSeenAt, unused)));
  await db().delete(tokensTable).where(lt(tokensTable.expiresAt, now));
  await db().delete(loginTicketsTable).where(lt(loginTicketsTable.expiresAt, now));
  await db().delete(passkeyChallengesTable).where(lt(passkeyChallengesTable.expiresAt, now));
  await db()
    .delete(profileChangesTable)
    .where(lt(profileChangesTable.at, subYears(now, RECORD_YEARS)));
  await sweepSuspendedSessions(db(), now);
  await sweepIdentifierHashes(db(), subYears(now, RECORD_YEARS));
  const off = db()
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.id, secondFactorsTable.userId), isNull(usersTable.secondFactorAt)));
  const begun = new Date(now.getTime() - 24 * 3_600_000);
  await db()
    .delete(secondFactorsTable)
    .where(and(lt(secondFactorsTable.begunAt, begun), exists(off)));
}
