import { asc, eq } from "drizzle-orm";
import { publicUrl } from "#config";
import { db, runInTransaction } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { operatorUsernameSchema, registerInput } from "../../forms.ts";
import { mailSecurityNotice } from "../account/security-notice.ts";
import type { Origin } from "../core/actor.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser, userByName } from "../core/users/find-users.ts";
import { insertAdmin } from "../login/first-admin.ts";
import { voidLinks } from "../login/mailed-links.ts";
import { forgetPasskeys } from "../passkeys/stored-passkeys.ts";
import { hashPassword } from "../password/passwords.ts";
import { newOneTimePassword } from "../request/tokens.ts";
import { forgetFactor } from "../second-factor/recovery-codes.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { holdAdministrators } from "./administrator-grants.ts";
import { tellAdministrators } from "./set-admin.ts";

/** The operator at the console has access to the database and needs no right in Midman; audit entries name no user. */
const operatorAuthor = { userId: null } as const;
const consoleOrigin: Origin = { ip: "", device: "", language: "en", requestId: "" };

type InvalidAdminInput = { ok: false; code: "VALIDATION_FAILED"; fields: Array<"username" | "email"> };

/** The console's line for an administrator with a generated password, which is shown only here. */
export function administratorLine(username: string, oneTimePassword: string): string {
  return `Administrator: ${username}, one-time password ${oneTimePassword} (${publicUrl()}/admin/login)`;
}

/**
 * Creates an administrator for the operator, with a password that must be changed at the first login. Mails every other administrator at
 * once. Refuses VALIDATION_FAILED, and TAKEN if someone has the name or the email address.
 */
export async function createAdminAtConsole(
  input: { username: string; email: string },
  at: Date,
): Promise<
  { ok: true; userId: number; oneTimePassword: string } | InvalidAdminInput | { ok: false; code: "TAKEN" }
> {
  const { email } = registerInput.shape;
  const parsed = {
    username: operatorUsernameSchema.safeParse(input.username),
    email: email.safeParse(input.email),
  };
  const bad = (["username", "email"] as const).filter((field) => !parsed[field].success);
  if (!parsed.username.success || !parsed.email.success)
    return { ok: false, code: "VALIDATION_FAILED", fields: bad };
  const oneTimePassword = newOneTimePassword();
  const given = { username: parsed.username.data, email: parsed.email.data, mustChangePassword: true };
  const passwordHash = await hashPassword(oneTimePassword, "operator");
  return runInTransaction(async (tx) => {
    await holdAdministrators(tx);
    const made = await insertAdmin(tx, { ...given, passwordHash }, at);
    if (made === undefined) return { ok: false, code: "TAKEN" };
    await tellAdministrators(tx, made.id, consoleOrigin, at);
    return { ok: true, userId: made.id, oneTimePassword };
  });
}

/**
 * Sets a password for the operator, which the person must change at the next login. Ends all their sessions, voids mailed links and
 * notifies them by mail. Keeps the second factor and the passkeys unless `removeSecondFactor` is set.
 */
export async function resetPasswordAtConsole(
  input: { username: string; removeSecondFactor?: boolean },
  at: Date,
): Promise<
  | { ok: true; oneTimePassword: string; sessionsEnded: number; factorRemoved: boolean }
  | { ok: false; code: "USER_NOT_FOUND" }
> {
  const oneTimePassword = newOneTimePassword();
  const passwordHash = await hashPassword(oneTimePassword, "operator");
  return runInTransaction(async (tx) => {
    const found = await userByName(tx, input.username);
    const user = found && (await holdUser(tx, found.id));
    if (user === undefined) return { ok: false, code: "USER_NOT_FOUND" };
    const removing = input.removeSecondFactor === true;
    const passkeysRemoved = removing ? await forgetPasskeys(tx, user.id) : 0;
    const factorRemoved = removing && (user.secondFactorAt !== null || passkeysRemoved > 0);
    const changes = { passwordHash, mustChangePassword: true, updatedAt: at };
    await tx
      .update(usersTable)
      .set(factorRemoved ? { ...changes, secondFactorAt: null } : changes)
      .where(eq(usersTable.id, user.id));
    if (factorRemoved) await forgetFactor(tx, user.id);
    await voidLinks(tx, "password_reset", user.id);
    const sessionsEnded = await endSessionsOf(tx, user.id);
    const subject = { kind: "user", id: user.id };
    await recordAuditEntry(tx, [
      { by: operatorAuthor, action: "operator_password_set", at, subject, data: { sessionsEnded } },
      ...(factorRemoved
        ? [{ by: operatorAuthor, action: "operator_factor_removed" as const, at, subject }]
        : []),
    ]);
    await mailSecurityNotice(tx, user, "password_changed", consoleOrigin, at);
    if (removing && user.secondFactorAt !== null)
      await mailSecurityNotice(tx, user, "second_factor_off", consoleOrigin, at);
    if (passkeysRemoved > 0) await mailSecurityNotice(tx, user, "passkeys_removed", consoleOrigin, at);
    return { ok: true, oneTimePassword, sessionsEnded, factorRemoved };
  });
}

export type ListedAdmin = {
  username: string;
  email: string | null;
  createdAt: Date;
  secondFactorAt: Date | null;
  mustChangePassword: boolean;
};

/** All administrators for the operator, in order of creation. */
export function administratorsAtConsole(): Promise<ListedAdmin[]> {
  return db()
    .select({
      username: usersTable.username,
      email: usersTable.email,
      createdAt: usersTable.createdAt,
      secondFactorAt: usersTable.secondFactorAt,
      mustChangePassword: usersTable.mustChangePassword,
    })
    .from(usersTable)
    .where(eq(usersTable.isAdmin, true))
    .orderBy(asc(usersTable.id));
}
