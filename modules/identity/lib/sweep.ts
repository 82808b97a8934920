import { lt, or } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { sessionLifetimes } from "./lifetimes.ts";
import { sessions, tokens } from "./schema.ts";

defineJob("identity.sweep", () => sweep(now()), { cron: "17 * * * *" });

/** Removes the sessions and links that have run out. They were dead already; this frees addresses and devices. */
export async function sweep(now: Date): Promise<void> {
  const unused = new Date(now.getTime() - sessionLifetimes(false).idle);
  await db()
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, now), lt(sessions.lastSeenAt, unused)));
  await db().delete(tokens).where(lt(tokens.expiresAt, now));
}
