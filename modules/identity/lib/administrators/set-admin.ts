import { and, eq, ne } from "drizzle-orm";
import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf, type Origin } from "../core/actor.ts";
import type { NotFreshAdmin } from "../core/require-actor.ts";
import { adminGrantsTable, usersTable } from "../core/schema.ts";
import { restrictionOf } from "../restrictions/restriction-in-force.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { isLastAdmin } from "./administrator-grants.ts";
import { decideAboutUser } from "./decide-about-user.ts";

type SetAdminRefusal =
  | { ok: false; code: "USER_NOT_FOUND" | "LAST_ADMIN" | "ACCOUNT_RESTRICTED" }
  | NotFreshAdmin;

/**
 * Makes someone an administrator, or no longer one; the actor needs a fresh login. Ends the person's sessions and notifies them by mail;
 * every other administrator is notified of a new one. A new administrator must set a new password at the next login, since the
 * twelve-character minimum did not apply to the old one. Refuses USER_NOT_FOUND, LAST_ADMIN, and ACCOUNT_RESTRICTED for a restricted
 * person. For seven days the two count as the same reviewer (`relatedAdministratorIds`). Repeating it changes nothing.
 */
export async function setAdmin(
  actor: Actor,
  userId: number,
  isAdmin: boolean,
): Promise<{ ok: true } | SetAdminRefusal> {
  const at = currentTime();
  return decideAboutUser(actor, userId, at, async (tx, { administrator, user }) => {
    if (user.isAdmin === isAdmin) return { ok: true };
    if (!isAdmin && (await isLastAdmin(tx, userId))) return { ok: false, code: "LAST_ADMIN" };
    // A limited or suspended person cannot become an administrator; an expired restriction is cleared from the row.
    if (isAdmin && restrictionOf(user, at) !== null) return { ok: false, code: "ACCOUNT_RESTRICTED" };
    await tx
      .update(usersTable)
      .set({
        isAdmin,
        ...(isAdmin && { restriction: null, restrictedUntil: null }),
        mustChangePassword: isAdmin || user.mustChangePassword,
        updatedAt: at,
      })
      .where(eq(usersTable.id, userId));
    if (isAdmin) await tx.insert(adminGrantsTable).values({ made: userId, by: administrator.userId, at });
    const ended = await endSessionsOf(tx, userId);
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: isAdmin ? "admin_granted" : "admin_revoked",
      at,
      subject: { kind: "user", id: userId },
      data: { before: { isAdmin: user.isAdmin }, after: { isAdmin }, sessionsEnded: ended },
    });
    await mailSecurityNotice(tx, user, isAdmin ? "admin_granted" : "admin_revoked", actor, at);
    if (isAdmin) await tellAdministrators(tx, userId, actor, at);
    return { ok: true };
  });
}

/**
 * Mails every other administrator at once about a new one, who for seven days does not count as a second reviewer for the administrator who
 * made them.
 */
export async function tellAdministrators(tx: Tx, made: number, actor: Origin, at: Date): Promise<void> {
  const others = await tx
    .select()
    .from(usersTable)
    .where(and(eq(usersTable.isAdmin, true), ne(usersTable.id, made)));
  for (const one of others) {
    await mailSecurityNotice(tx, one, "administrator_made", actor, at, "/admin/users?show=admins");
  }
}
