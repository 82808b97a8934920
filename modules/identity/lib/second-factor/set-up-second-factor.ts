import { eq } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import type { ConfirmSecondFactorInput } from "../../forms.ts";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf, type Member } from "../core/actor.ts";
import { type NotFresh, requireFreshLogin } from "../core/require-actor.ts";
import { secondFactorsTable, usersTable } from "../core/schema.ts";
import { userById } from "../core/users/find-users.ts";
import type { ThrottleRefusal } from "../login/throttles.ts";
import { endSessionsOf, holdMember } from "../sessions/sessions.ts";
import { factorOf, forgiveCodes, mayTryCode, passCode, refuseCode, type WrongCode } from "./check-factor.ts";
import type { RecoveryCodes } from "./manage-second-factor.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { keyUri, newSecret, openSecret, sealSecret } from "./totp.ts";

/** The secret for an authenticator app: as base32 to type, and as the URI in its QR code. */
type AuthenticatorKey = { ok: true; secret: string; uri: string };
type CodeRefusal<Code extends string> = { ok: false; code: Code };
type SetUpRefusal = CodeRefusal<"SECOND_FACTOR_NOT_BEGUN" | "SECOND_FACTOR_ON">;

/**
 * Creates a secret for an authenticator app, as base32 and as the URI in its QR code. It has no effect until its first code is confirmed
 * (`confirmSecondFactor`); calling this again replaces it. Refuses REAUTH_REQUIRED and SECOND_FACTOR_ON.
 */
export async function beginSecondFactor(
  actor: Actor,
): Promise<AuthenticatorKey | NotFresh | CodeRefusal<"SECOND_FACTOR_ON">> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  const { member } = needed;
  const { userId, username } = member;
  const secret = newSecret();
  const row = { secret: sealSecret(secret, userId), begunAt: at, usedStep: 0 };
  return runInTransaction(async (tx) => {
    const user = await holdMember(tx, member);
    if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    if (user.secondFactorAt !== null) return { ok: false, code: "SECOND_FACTOR_ON" };
    await tx
      .insert(secondFactorsTable)
      .values({ userId, ...row })
      .onConflictDoUpdate({ target: secondFactorsTable.userId, set: row });
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "second_factor_begun",
      at,
      subject: { kind: "user", id: userId },
    });
    return { ok: true, secret: secret.base32, uri: keyUri(secret, username) };
  });
}

/** The pending secret again, for a page that is shown again. Refuses REAUTH_REQUIRED and SECOND_FACTOR_NOT_BEGUN. */
export async function pendingSecondFactor(
  actor: Actor,
): Promise<AuthenticatorKey | NotFresh | CodeRefusal<"SECOND_FACTOR_NOT_BEGUN">> {
  const needed = requireFreshLogin(actor, currentTime());
  if (!needed.ok) return needed;
  const { userId, username } = needed.member;
  const [user, factor] = await Promise.all([userById(db(), userId), factorOf(db(), userId)]);
  if (user?.secondFactorAt !== null || factor === undefined) {
    return { ok: false, code: "SECOND_FACTOR_NOT_BEGUN" };
  }
  const secret = openSecret(factor.secret, userId);
  return { ok: true, secret: secret.base32, uri: keyUri(secret, username) };
}

/**
 * Turns the second factor on with the app's first code, and returns ten recovery codes, which are never shown again. Ends the person's
 * other sessions, since none of them has shown a code. Refuses REAUTH_REQUIRED, SECOND_FACTOR_NOT_BEGUN, SECOND_FACTOR_ON,
 * SECOND_FACTOR_WRONG and THROTTLED.
 */
export async function confirmSecondFactor(
  actor: Actor,
  { code }: ConfirmSecondFactorInput,
): Promise<RecoveryCodes | NotFresh | SetUpRefusal | WrongCode<"SECOND_FACTOR_WRONG"> | ThrottleRefusal> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  const { userId } = needed.member;
  const passed = await mayTryCode(actor, userId, code, at);
  if (!passed.ok) return passed;
  const done = await runInTransaction((tx) => enableSecondFactor(tx, needed.member, code, at));
  if (done.ok) await forgiveCodes(actor, userId);
  return done;
}

async function enableSecondFactor(
  tx: Tx,
  actor: Member,
  code: string,
  at: Date,
): Promise<RecoveryCodes | SetUpRefusal | WrongCode<"SECOND_FACTOR_WRONG"> | CodeRefusal<"AUTH_REQUIRED">> {
  const { userId, sessionId } = actor;
  const user = await holdMember(tx, actor);
  if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
  if (user.secondFactorAt !== null) return { ok: false, code: "SECOND_FACTOR_ON" };
  if ((await factorOf(tx, userId)) === undefined) return { ok: false, code: "SECOND_FACTOR_NOT_BEGUN" };
  const subject = { kind: "user", id: userId };
  if (!(await passCode(tx, userId, code, at))) {
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "second_factor_failed", at, subject });
    return refuseCode("SECOND_FACTOR_WRONG");
  }
  await tx.update(usersTable).set({ secondFactorAt: at, updatedAt: at }).where(eq(usersTable.id, userId));
  const recoveryCodes = await replaceRecoveryCodes(tx, userId);
  const data = { sessionsEnded: await endSessionsOf(tx, userId, sessionId) };
  await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "second_factor_on", at, subject, data });
  await mailSecurityNotice(tx, user, "second_factor_on", actor, at);
  return { ok: true, recoveryCodes };
}
