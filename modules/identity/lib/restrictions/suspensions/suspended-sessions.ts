import { and, eq, gt, lt } from "drizzle-orm";
import { db, type Executor, type Tx } from "#db/client";
import type { Actor, Suspension } from "../../core/actor.ts";
import { sessionsTable, usersTable } from "../../core/schema.ts";
import { hashToken } from "../../request/tokens.ts";
import {
  latestUnendedRestriction,
  type RestrictionRefusal,
  restrictionOf,
  suspendedRefusal,
} from "../restriction-in-force.ts";
import { suspendedSessionsTable } from "../schema.ts";

/**
 * Stores the digests of a person's sessions, so that their browsers can be shown why the sessions ended. A stored digest authenticates
 * nobody. Called before the suspension ends the sessions. The caller has locked the user's row.
 */
export async function rememberSuspendedSessions(tx: Tx, userId: number): Promise<void> {
  const open = tx
    .select({
      tokenHash: sessionsTable.tokenHash,
      userId: sessionsTable.userId,
      expiresAt: sessionsTable.expiresAt,
    })
    .from(sessionsTable)
    .where(eq(sessionsTable.userId, userId));
  await tx.insert(suspendedSessionsTable).select(open).onConflictDoNothing();
}

/** Deletes the stored digests of a person, when the suspension is lifted or the account erased. */
export async function forgetSuspendedSessions(tx: Tx, userId: number): Promise<void> {
  await tx.delete(suspendedSessionsTable).where(eq(suspendedSessionsTable.userId, userId));
}

/** Deletes the digests of sessions that would have expired by now. */
export async function sweepSuspendedSessions(exec: Executor, at: Date): Promise<void> {
  await exec.delete(suspendedSessionsTable).where(lt(suspendedSessionsTable.expiresAt, at));
}

/** The suspension in force that ended the session of this token; undefined for any other token. */
export async function suspensionOfToken(token: string, at: Date): Promise<Suspension | undefined> {
  const [user] = await db()
    .select({
      id: usersTable.id,
      restriction: usersTable.restriction,
      restrictedUntil: usersTable.restrictedUntil,
    })
    .from(suspendedSessionsTable)
    .innerJoin(usersTable, eq(usersTable.id, suspendedSessionsTable.userId))
    .where(
      and(eq(suspendedSessionsTable.tokenHash, hashToken(token)), gt(suspendedSessionsTable.expiresAt, at)),
    );
  const restriction = user && restrictionOf(user, at);
  if (user === undefined || restriction?.kind !== "suspend") return undefined;
  const cause = (await latestUnendedRestriction(db(), user.id, at))?.cause ?? "terms";
  return { userId: user.id, cause, until: restriction.until };
}

/** ACCOUNT_SUSPENDED if a suspension ended the session of this browser; undefined otherwise. */
export function suspensionOf(actor: Actor): RestrictionRefusal<"ACCOUNT_SUSPENDED"> | undefined {
  const suspension = actor.kind === "visitor" ? actor.suspension : undefined;
  return suspension && suspendedRefusal(suspension.cause, suspension.until);
}
