import { eq } from "drizzle-orm";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { decideAboutUser } from "../administrators/decide-about-user.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { notifySuspensionInModules } from "../core/identity-guards.ts";
import type { NotFreshAdmin } from "../core/require-actor.ts";
import { usersTable } from "../core/schema.ts";
import { deleteIdentifierHashes } from "./linked-accounts.ts";
import { mailRestriction } from "./mail-restriction.ts";
import { endRestriction } from "./restrict-person.ts";
import { latestUnendedRestriction, restrictionOf } from "./restriction-in-force.ts";
import { forgetSuspendedSessions } from "./suspensions/suspended-sessions.ts";

/**
 * Ends a person's restriction early and deletes its hashes; the actor needs a fresh login and gives a reason. One administrator is enough,
 * even for a permanent one: it moves no money, the person is notified, and it is recorded. Changes nothing if no restriction is in force.
 */
export async function liftRestriction(
  actor: Actor,
  userId: number,
  { note }: { note: string },
): Promise<{ ok: true; changed: boolean } | NotFreshAdmin | { ok: false; code: "USER_NOT_FOUND" }> {
  const at = currentTime();
  return decideAboutUser(actor, userId, at, async (tx, { administrator, user }) => {
    const row = await latestUnendedRestriction(tx, userId, at);
    if (row === undefined || restrictionOf(user, at) === null) return { ok: true, changed: false };
    await endRestriction(tx, row, { by: administrator.userId, how: "lifted", note, at });
    await tx
      .update(usersTable)
      .set({ restriction: null, restrictedUntil: null, updatedAt: at })
      .where(eq(usersTable.id, userId));
    await deleteIdentifierHashes(tx, userId);
    await forgetSuspendedSessions(tx, userId);
    const subject = { kind: "user", id: userId };
    const data = { restriction: row.id, kind: row.kind, forGood: row.confirmedAt !== null };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "user_restriction_lifted",
      at,
      subject,
      data,
    });
    await mailRestriction(tx, user, { event: "lifted", cause: row.cause, until: null }, at);
    if (row.kind === "suspend") await notifySuspensionInModules(tx, userId, false, at);
    return { ok: true, changed: true };
  });
}
