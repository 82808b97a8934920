import { and, eq, gt, lt } from "drizzle-orm";
import { db, type Executor, type Tx } from "#db/client";
import type { Actor, Suspension, Visitor } from "../actor.ts";
import { sessions, users } from "../schema.ts";
import { hashToken } from "../token.ts";
import { latestUnendedRestriction, type Restricted, restrictionOf, suspendedRefusal } from "./in-force.ts";
import { suspendedSessions } from "./schema.ts";

/**
 * Remembers the digests of a person's sessions, to be called before a suspension ends them: their browsers are then told why. Such a token opens
 * nothing. The caller holds the user's row.
 */
export async function rememberSuspendedSessions(tx: Tx, userId: number): Promise<void> {
  const open = tx
    .select({ tokenHash: sessions.tokenHash, userId: sessions.userId, expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(eq(sessions.userId, userId));
  await tx.insert(suspendedSessions).select(open).onConflictDoNothing();
}

/** Forgets them: the suspension was lifted, or the account goes. */
export async function forgetSuspendedSessions(tx: Tx, userId: number): Promise<void> {
  await tx.delete(suspendedSessions).where(eq(suspendedSessions.userId, userId));
}

/** Forgets those whose session would have run out by now. */
export async function sweepSuspendedSessions(exec: Executor, at: Date): Promise<void> {
  await exec.delete(suspendedSessions).where(lt(suspendedSessions.expiresAt, at));
}

/** Why the session of this token ended, where a suspension that is in force ended it; undefined for any other token. */
export async function suspensionOfToken(token: string, at: Date): Promise<Suspension | undefined> {
  const [user] = await db()
    .select({ id: users.id, restriction: users.restriction, restrictedUntil: users.restrictedUntil })
    .from(suspendedSessions)
    .innerJoin(users, eq(users.id, suspendedSessions.userId))
    .where(and(eq(suspendedSessions.tokenHash, hashToken(token)), gt(suspendedSessions.expiresAt, at)));
  const restriction = user && restrictionOf(user, at);
  if (user === undefined || restriction?.kind !== "suspend") return undefined;
  const cause = (await latestUnendedRestriction(db(), user.id, at))?.cause ?? "terms";
  return { userId: user.id, cause, until: restriction.until };
}

/** ACCOUNT_SUSPENDED for who was signed in at this browser until a suspension ended it; undefined for anybody else. */
export function suspensionOf(actor: Actor): Restricted<"ACCOUNT_SUSPENDED"> | undefined {
  const { suspension } = actor as Partial<Visitor>;
  return suspension && suspendedRefusal(suspension.cause, suspension.until);
}
