import { eq } from "drizzle-orm";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import type { NotFreshAdmin } from "../core/require-actor.ts";
import { usersTable } from "../core/schema.ts";
import { forgetFactor } from "../second-factor/recovery-codes.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { decideAboutUser } from "./decide-about-user.ts";

type UserNotFound = { ok: false; code: "USER_NOT_FOUND" };

/**
 * Removes the second factor of someone who lost it, as an administrator with a fresh login. Ends all their sessions and notifies them by
 * mail. Repeating it changes nothing. Refuses OWN_ACCOUNT: administrators turn their own off with a code.
 */
export async function removeSecondFactorOf(
  actor: Actor,
  userId: number,
): Promise<{ ok: true } | NotFreshAdmin | UserNotFound | { ok: false; code: "OWN_ACCOUNT" }> {
  const at = currentTime();
  return decideAboutUser(actor, userId, at, async (tx, { administrator, user }) => {
    if (administrator.userId === userId) return { ok: false, code: "OWN_ACCOUNT" };
    if (user.secondFactorAt === null) return { ok: true };
    await forgetFactor(tx, userId);
    await tx.update(usersTable).set({ secondFactorAt: null, updatedAt: at }).where(eq(usersTable.id, userId));
    const sessionsEnded = await endSessionsOf(tx, userId);
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "second_factor_removed",
      at,
      subject: { kind: "user", id: userId },
      data: { before: { secondFactor: true }, after: { secondFactor: false }, sessionsEnded },
    });
    await mailSecurityNotice(tx, user, "second_factor_removed", actor, at);
    return { ok: true };
  });
}

/**
 * Signs someone out on all devices and ends their logins that wait for a code, as an administrator with a fresh login; notifies the person
 * by mail. Does nothing if no session was open.
 */
export async function signOutEverywhere(
  actor: Actor,
  userId: number,
): Promise<{ ok: true } | NotFreshAdmin | UserNotFound> {
  const at = currentTime();
  return decideAboutUser(actor, userId, at, async (tx, { user }) => {
    const sessionsEnded = await endSessionsOf(tx, userId);
    if (sessionsEnded === 0) return { ok: true };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "user_signed_out",
      at,
      subject: { kind: "user", id: userId },
      data: { sessionsEnded },
    });
    await mailSecurityNotice(tx, user, "signed_out_everywhere", actor, at);
    return { ok: true };
  });
}
