import { eq } from "drizzle-orm";
import { config } from "#config";
import { runInTransaction, type Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { avatarInitials, operatorUsernameSchema, registerInput } from "../../forms.ts";
import { holdAdministrators } from "../administrators/administrator-grants.ts";
import { usersTable } from "../core/schema.ts";
import { userByName } from "../core/users/find-users.ts";
import { usernameKey } from "../core/users/username.ts";
import { hashPassword } from "../password/passwords.ts";
import { newOneTimePassword } from "../request/tokens.ts";
import { endSessionsOf } from "../sessions/sessions.ts";

/**
 * Creates the administrator named in the settings if there is none. Returns the generated password, which must be changed at the first
 * login, or null if the settings gave one or an administrator exists. If several instances start at once, one creates it. ADMIN_PASSWORD
 * also replaces a generated password that nobody has changed yet, for operators who missed it on the console.
 */
export async function ensureFirstAdmin(now: Date): Promise<{ oneTimePassword: string | null }> {
  const { ADMIN_USERNAME, ADMIN_PASSWORD } = config();
  const given =
    ADMIN_PASSWORD && parseSetting("ADMIN_PASSWORD", registerInput.shape.password, ADMIN_PASSWORD);
  const username = parseSetting("ADMIN_USERNAME", operatorUsernameSchema, ADMIN_USERNAME);
  const password = given ?? newOneTimePassword();
  const passwordHash = await hashPassword(password, "operator");
  return runInTransaction(async (tx) => {
    await holdAdministrators(tx);
    const [admin] = await tx
      .select({ id: usersTable.id })
      .from(usersTable)
      .where(eq(usersTable.isAdmin, true))
      .limit(1);
    if (admin !== undefined) {
      if (given) await replaceOneTimePassword(tx, username, passwordHash, now);
      return { oneTimePassword: null };
    }
    const made = await insertAdmin(
      tx,
      { username, email: config().ADMIN_EMAIL, passwordHash, mustChangePassword: !given },
      now,
    );
    if (made === undefined) {
      throw new Error(
        "Midman cannot start.\nADMIN_USERNAME, ADMIN_EMAIL: belong to a user who is not an administrator",
      );
    }
    return { oneTimePassword: given ? null : password };
  });
}

function parseSetting<T>(
  name: string,
  schema: { safeParse(value: unknown): { data?: T } },
  value: string,
): T {
  const { data } = schema.safeParse(value);
  if (data === undefined)
    throw new Error(`Midman cannot start.\n${name}: cannot be used (too long, or invalid characters)`);
  return data;
}

/**
 * Creates an administrator; the audit entry names no author. Undefined if the name or the email address is taken. The caller has called
 * `holdAdministrators`.
 */
export async function insertAdmin(
  tx: Tx,
  {
    username,
    email,
    passwordHash,
    mustChangePassword,
  }: { username: string; email: string; passwordHash: string; mustChangePassword: boolean },
  now: Date,
): Promise<{ id: number } | undefined> {
  const [user] = await tx
    .insert(usersTable)
    .values({
      username,
      usernameKey: usernameKey(username),
      email,
      displayName: username,
      avatarInitials: avatarInitials(null, username),
      passwordHash,
      mustChangePassword,
      isAdmin: true,
      language: "mn",
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: usersTable.id });
  if (user === undefined) return undefined;
  await recordAuditEntry(tx, {
    by: { userId: null },
    action: "admin_created",
    at: now,
    subject: { kind: "user", id: user.id },
    data: { oneTimePassword: mustChangePassword },
  });
  return user;
}

async function replaceOneTimePassword(
  tx: Tx,
  username: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  const user = await userByName(tx, username);
  if (!user?.isAdmin || !user.mustChangePassword) return;
  await tx
    .update(usersTable)
    .set({ passwordHash, mustChangePassword: false, updatedAt: now })
    .where(eq(usersTable.id, user.id));
  await endSessionsOf(tx, user.id);
  const subject = { kind: "user", id: user.id };
  await recordAuditEntry(tx, { by: { userId: null }, action: "admin_password_set", at: now, subject });
}
