import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotFresh, type NotSignedIn, requireFreshLogin, requireUser } from "../core/require-actor.ts";
import type { SecondFactor } from "../core/responses.ts";
import { usersTable } from "../core/schema.ts";
import { userById } from "../core/users/find-users.ts";
import { holdMember } from "../sessions/sessions.ts";
import { factorOf } from "./check-factor.ts";
import { forgetFactor, recoveryCodesLeft, replaceRecoveryCodes } from "./recovery-codes.ts";

/** Ten recovery codes, which are never shown again. */
export type RecoveryCodes = { ok: true; recoveryCodes: string[] };

/** State of the actor's second factor. `pending`: a secret was shown, but its first code has not been confirmed. */
export async function secondFactorOf(actor: Actor): Promise<({ ok: true } & SecondFactor) | NotSignedIn> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const { userId } = needed.member;
  const [user, factor, left] = await Promise.all([
    userById(db(), userId),
    factorOf(db(), userId),
    recoveryCodesLeft(db(), userId),
  ]);
  if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
  const since = user.secondFactorAt;
  const pending = since === null && factor !== undefined;
  return { ok: true, on: since !== null, since, recoveryCodesLeft: left, pending };
}

/** Returns ten new recovery codes; the earlier ones stop working. Refuses REAUTH_REQUIRED and SECOND_FACTOR_OFF. */
export async function renewRecoveryCodes(
  actor: Actor,
): Promise<RecoveryCodes | NotFresh | { ok: false; code: "SECOND_FACTOR_OFF" }> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  const { member } = needed;
  const { userId } = member;
  return runInTransaction(async (tx) => {
    const user = await holdMember(tx, member);
    if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    if (user.secondFactorAt === null) return { ok: false, code: "SECOND_FACTOR_OFF" };
    const recoveryCodes = await replaceRecoveryCodes(tx, userId);
    const subject = { kind: "user", id: userId };
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "recovery_codes_renewed", at, subject });
    await mailSecurityNotice(tx, user, "recovery_codes_renewed", actor, at);
    return { ok: true, recoveryCodes };
  });
}

/** Turns the second factor off, or drops a pending one. Repeating it changes nothing. Refuses REAUTH_REQUIRED. */
export async function removeSecondFactor(actor: Actor): Promise<{ ok: true } | NotFresh> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  const { member } = needed;
  const { userId } = member;
  return runInTransaction(async (tx) => {
    const user = await holdMember(tx, member);
    if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    await forgetFactor(tx, userId);
    if (user.secondFactorAt === null) return { ok: true };
    await tx.update(usersTable).set({ secondFactorAt: null, updatedAt: at }).where(eq(usersTable.id, userId));
    const subject = { kind: "user", id: userId };
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "second_factor_off", at, subject });
    await mailSecurityNotice(tx, user, "second_factor_off", actor, at);
    return { ok: true };
  });
}
