import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { adminGrantsTable, usersTable } from "../core/schema.ts";
import { userById } from "../core/users/find-users.ts";

/**
 * Held by whatever makes or unmakes an administrator, until its transaction ends, on every instance: two who remove each
 * other, or several first starts, follow one another. The trigger of identity.users takes the same lock.
 */
export async function holdAdministrators(tx: Tx): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('identity.administrators'))`);
}

/**
 * Whether this person is an administrator now. An actor was read when their request began: whoever waited for a lock since
 * asks again.
 */
export async function isAdministrator(exec: Executor, userId: number): Promise<boolean> {
  return (await userById(exec, userId))?.isAdmin === true;
}

/**
 * Whether this person is an administrator and has been one without a break since a moment: who was dismissed and made one again
 * since has a right of their own, and not the one they acted by then.
 */
export async function isAdministratorSince(exec: Executor, userId: number, since: Date): Promise<boolean> {
  if (!(await isAdministrator(exec, userId))) return false;
  const later = and(eq(adminGrantsTable.made, userId), gt(adminGrantsTable.at, since));
  return (await exec.$count(adminGrantsTable, later)) === 0;
}

/** True when nobody but this user is an administrator. The caller holds the administrators. */
export async function isLastAdmin(tx: Tx, userId: number): Promise<boolean> {
  const [other] = await tx
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.isAdmin, true), ne(usersTable.id, userId)))
    .limit(1);
  return other === undefined;
}

/** Whether anybody has stopped being an administrator since a moment, by losing the right or with their account, as the log tells. */
export async function hasAdministratorLeftSince(exec: Executor, since: Date): Promise<boolean> {
  const [row] = await exec.execute<{ left: boolean }>(sql`
    SELECT EXISTS (
      SELECT FROM audit.entries WHERE at >= ${since.toISOString()}::timestamptz
        AND (action = 'admin_revoked' OR (action = 'user_deleted' AND data->'before'->>'isAdmin' = 'true'))
    ) AS left`);
  return row?.left === true;
}
