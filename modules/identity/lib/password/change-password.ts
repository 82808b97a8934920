import { eq } from "drizzle-orm";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { movePushDevice } from "#modules/mailer";
import type { ChangePasswordInput, ConfirmPasswordInput } from "../../forms.ts";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser } from "../core/users/find-users.ts";
import { voidLinks } from "../login/mailed-links.ts";
import type { ThrottleRefusal } from "../login/throttles.ts";
import { forgiveCodes, passFactor, type WrongCode } from "../second-factor/check-factor.ts";
import { endSession, endSessionsOf, type OpenedSession, openSession } from "../sessions/sessions.ts";
import { hashingPlaceOf } from "./hashing-sources.ts";
import {
  type BadPassword,
  findPasswordProblem,
  hashPassword,
  refusePassword,
  refuseShortPassword,
} from "./passwords.ts";
import { isUserUnchanged, provePassword, type WrongPassword, wrongPassword } from "./prove-password.ts";

type RenewedSession = { ok: true; session: OpenedSession };
type ConfirmedSession = RenewedSession & { sessionId: number };
type ProofRefusal = { ok: false; code: "AUTH_REQUIRED" } | ThrottleRefusal | WrongPassword | WrongCode;
type UnusablePassword = {
  ok: false;
  code: BadPassword | "PASSWORD_UNCHANGED" | "VALIDATION";
  fields: Record<string, string[]>;
};

/**
 * Changes the actor's password; needs a code too if the second factor is on. Ends every session of theirs and gives this browser a new
 * token. A person who must change their password may do nothing else.
 */
export async function changePassword(
  actor: Actor,
  input: ChangePasswordInput,
): Promise<RenewedSession | ProofRefusal | UnusablePassword> {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  const short = refuseShortPassword(input.newPassword, actor.isAdmin);
  if (short !== undefined) return short;
  const at = currentTime();
  const typed = { password: input.currentPassword, code: input.code, field: "currentPassword" };
  const known = await provePassword(actor, typed, "password_change_failed", at);
  if (!known.ok) return known;
  const bad = findPasswordProblem(input.newPassword, known.user.isAdmin, known.user);
  if (bad !== undefined) return refusePassword(bad, "newPassword");
  // A password that must be changed was made by, or known to, someone else: keeping it would change nothing.
  if (known.user.mustChangePassword && input.newPassword === input.currentPassword) {
    return { ok: false, code: "PASSWORD_UNCHANGED", fields: { newPassword: ["errors.PASSWORD_UNCHANGED"] } };
  }
  const passwordHash = await hashPassword(input.newPassword, hashingPlaceOf(actor));
  const done = await runInTransaction(async (tx): Promise<RenewedSession | ProofRefusal> => {
    const held = await holdUser(tx, known.user.id);
    if (!isUserUnchanged(held, known.user, at)) return wrongPassword("currentPassword");
    const proof = await passFactor(tx, actor, held, input.code, at);
    if (!proof.ok) return proof;
    await tx
      .update(usersTable)
      .set({ passwordHash, mustChangePassword: false, updatedAt: at })
      .where(eq(usersTable.id, held.id));
    await voidLinks(tx, "password_reset", held.id);
    const { id, ...session } = await openSession(tx, held, actor, at);
    await movePushDevice(tx, actor.sessionId, id);
    const ended = await endSessionsOf(tx, held.id, id);
    const subject = { kind: "user", id: held.id };
    const data = { sessionsEnded: ended };
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "password_changed", at, subject, data });
    await mailSecurityNotice(tx, held, "password_changed", actor, at);
    return { ok: true, session };
  });
  if (done.ok) await forgiveCodes(actor, actor.userId);
  return done;
}

/**
 * Confirms the actor's identity with the password, and with a code if the second factor is on. It counts as a fresh login for ten minutes
 * (`requireFreshLogin`) and renews the token. `sessionId` is the new session's, for callers that continue in the same request.
 */
export async function confirmPassword(
  actor: Actor,
  input: ConfirmPasswordInput,
): Promise<ConfirmedSession | ProofRefusal> {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  const at = currentTime();
  const known = await provePassword(actor, { ...input, field: "password" }, "password_confirm_failed", at);
  if (!known.ok) return known;
  const done = await runInTransaction(async (tx): Promise<ConfirmedSession | ProofRefusal> => {
    // A session that ended meanwhile is accepted: a double-clicked form causes it, and the proof given here would also open a new session.
    const held = await holdUser(tx, known.user.id);
    if (!isUserUnchanged(held, known.user, at)) return wrongPassword("password");
    const proof = await passFactor(tx, actor, held, input.code, at);
    if (!proof.ok) return proof;
    const { id, ...session } = await openSession(tx, held, actor, at);
    await movePushDevice(tx, actor.sessionId, id);
    await endSession(tx, actor.userId, actor.sessionId);
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "password_confirmed",
      at,
      subject: { kind: "session", id },
    });
    return { ok: true, session, sessionId: id };
  });
  if (done.ok) await forgiveCodes(actor, actor.userId);
  return done;
}
