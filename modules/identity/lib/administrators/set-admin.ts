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
 * Makes somebody an administrator, or no longer one; who asks needs a fresh login. Their sessions end and they are told by
 * mail; of a new one every administrator is. Whoever becomes one must set a password anew at the next login: the old one was never held to the twelve
 * characters. Nobody restricted becomes one (ACCOUNT_RESTRICTED). For seven days the two are one pair of eyes (`relatedAdministratorIds`). Repeating it changes nothing.
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
    // Whoever is limited or suspended is no administrator; a restriction that has run out is taken off the row.
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

/** Every other administrator hears of a new one at once, while the new one is nobody's second pair of eyes yet. */
export async function tellAdministrators(tx: Tx, made: number, actor: Origin, at: Date): Promise<void> {
  const others = await tx
    .select()
    .from(usersTable)
    .where(and(eq(usersTable.isAdmin, true), ne(usersTable.id, made)));
  for (const one of others) {
    await mailSecurityNotice(tx, one, "administrator_made", actor, at, "/admin/users?show=admins");
  }
}
