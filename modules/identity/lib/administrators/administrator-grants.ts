import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { adminGrantsTable, usersTable } from "../core/schema.ts";
import { userById } from "../core/users/find-users.ts";

/**
 * Locks the set of administrators on every instance until the transaction ends. Everything that makes or removes an administrator takes
 * this lock, so that two who remove each other, or several first starts, run one after the other. The trigger of identity.users takes the
 * same lock.
 */
export async function holdAdministrators(tx: Tx): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('identity.administrators'))`);
}

/**
 * Whether this person is an administrator now. The actor was read when the request began, so code that has waited for a lock since must ask
 * again.
 */
export async function isAdministrator(exec: Executor, userId: number): Promise<boolean> {
  return (await userById(exec, userId))?.isAdmin === true;
}

/**
 * Whether this person has been an administrator without a break since a moment. Someone who was dismissed and made an administrator again
 * has a new right, not the one they acted under before.
 */
export async function isAdministratorSince(exec: Executor, userId: number, since: Date): Promise<boolean> {
  if (!(await isAdministrator(exec, userId))) return false;
  const later = and(eq(adminGrantsTable.made, userId), gt(adminGrantsTable.at, since));
  return (await exec.$count(adminGrantsTable, later)) === 0;
}

/** True if no one but this user is an administrator. The caller has called `holdAdministrators`. */
export async function isLastAdmin(tx: Tx, userId: number): Promise<boolean> {
  const [other] = await tx
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.isAdmin, true), ne(usersTable.id, userId)))
    .limit(1);
  return other === undefined;
}

/**
 * Whether anyone has stopped being an administrator since a moment, by losing the right or with their account, according to the audit log.
 */
export async function hasAdministratorLeftSince(exec: Executor, since: Date): Promise<boolean> {
  const [row] = await exec.execute<{ left: boolean }>(sql`
    SELECT EXISTS (
      SELECT FROM audit.entries WHERE at >= ${since.toISOString()}::timestamptz
        AND (action = 'admin_revoked' OR (action = 'user_deleted' AND data->'before'->>'isAdmin' = 'true'))
    ) AS left`);
  return row?.left === true;
}
