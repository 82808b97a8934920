import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { decideAboutUser } from "../administrators/decide-about-user.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import type { NotFreshAdmin } from "../core/require-actor.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { forgetPasskeys } from "./stored-passkeys.ts";

/**
 * Removes all passkeys of someone who lost theirs, as an administrator with a fresh login. Ends all their sessions and notifies them by
 * mail. Repeating it changes nothing. Refuses OWN_ACCOUNT: administrators remove their own in the settings.
 */
export async function removePasskeysOf(
  actor: Actor,
  userId: number,
): Promise<{ ok: true } | NotFreshAdmin | { ok: false; code: "USER_NOT_FOUND" | "OWN_ACCOUNT" }> {
  const at = currentTime();
  return decideAboutUser(actor, userId, at, async (tx, { administrator, user }) => {
    if (administrator.userId === userId) return { ok: false, code: "OWN_ACCOUNT" };
    const removed = await forgetPasskeys(tx, userId);
    if (removed === 0) return { ok: true };
    const sessionsEnded = await endSessionsOf(tx, userId);
    const subject = { kind: "user", id: userId };
    const data = { before: { passkeys: removed }, after: { passkeys: 0 }, sessionsEnded };
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "passkeys_removed", at, subject, data });
    await mailSecurityNotice(tx, user, "passkeys_removed", actor, at);
    return { ok: true };
  });
}
