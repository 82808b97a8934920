import { db, runInTransaction } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { auditAuthorOf, type Member } from "../core/actor.ts";
import { type UserRow, userById } from "../core/users/find-users.ts";
import { forgiveTries, mayTry, type ThrottleRefusal } from "../login/throttles.ts";
import { isSuspended } from "../restrictions/restriction-in-force.ts";
import { mayTryCode, refuseCode, type WrongCode } from "../second-factor/check-factor.ts";
import { hashingPlaceOf } from "./hashing-sources.ts";
import { checkHashing, isPasswordCorrect } from "./passwords.ts";

export type WrongPassword = { ok: false; code: "PASSWORD_WRONG"; fields: Record<string, string[]> };
type ProofFailure = "password_change_failed" | "password_confirm_failed" | "account_delete_failed";
/** The typed password and code; `field` is the password's field in the form. */
type TypedPassword = { password: string; code?: string | undefined; field: string };

/**
 * Checks the password of a signed-in person, and that a code is present if the second factor is on. The caller checks the code itself under
 * the row's lock (`passFactor`), and that nothing has changed since (`isUserUnchanged`).
 */
export async function provePassword(
  actor: Member,
  { password, code, field }: TypedPassword,
  failure: ProofFailure,
  at: Date,
): Promise<
  | { ok: true; user: UserRow }
  | { ok: false; code: "AUTH_REQUIRED" }
  | ThrottleRefusal
  | WrongPassword
  | WrongCode
> {
  const hasher = hashingPlaceOf(actor);
  checkHashing(hasher);
  const attempt = { "password:user": String(actor.userId) };
  const passed = await mayTry(attempt, at);
  if (!passed.ok) return passed;
  const user = await userById(db(), actor.userId);
  if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
  if (!(await isPasswordCorrect(password, user.passwordHash, hasher))) {
    const subject = { kind: "user", id: actor.userId };
    await runInTransaction((tx) =>
      recordAuditEntry(tx, { by: auditAuthorOf(actor), action: failure, at, subject }),
    );
    return wrongPassword(field);
  }
  await forgiveTries(attempt);
  if (user.secondFactorAt === null) return { ok: true, user };
  if (code === undefined) return refuseCode("SECOND_FACTOR_REQUIRED");
  const tried = await mayTryCode(actor, user.id, code, at);
  return tried.ok ? { ok: true, user } : tried;
}

/** The password was checked before the row was locked: another change, or a suspension, may have come in between. */
export function isUserUnchanged(held: UserRow | undefined, checked: UserRow, at: Date): held is UserRow {
  if (held === undefined || isSuspended(held, at)) return false;
  return held.passwordHash === checked.passwordHash && held.isAdmin === checked.isAdmin;
}

/** The refusal of a wrong password, with its message at the field that holds it. */
export function wrongPassword(field: string): WrongPassword {
  return { ok: false, code: "PASSWORD_WRONG", fields: { [field]: ["errors.PASSWORD_WRONG"] } };
}
