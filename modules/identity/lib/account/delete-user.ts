import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { forgetMails, forgetPushes } from "#modules/mailer";
import { holdAdministrators, isAdministrator, isLastAdmin } from "../administrators/administrator-grants.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { forgetUserInModules, mayDeleteUser } from "../core/identity-guards.ts";
import { profileChangesTable, savedFiltersTable, usersTable } from "../core/schema.ts";
import { holdUser, type UserRow } from "../core/users/find-users.ts";
import { journalErasure } from "../erasures/erasure-journal.ts";
import { voidLinks } from "../login/mailed-links.ts";
import { forgetPasskeys } from "../passkeys/stored-passkeys.ts";
import { forgetRestrictions } from "../restrictions/forget-restrictions.ts";
import { keepIdentifiersOfRestricted } from "../restrictions/linked-accounts.ts";
import { forgetFactor } from "../second-factor/recovery-codes.ts";
import { endSessionsOf } from "../sessions/sessions.ts";

type DeletionRefusal = { ok: false; code: string; fields?: Record<string, string[]> };
/**
 * Deletes a person's account; the caller has checked that `actor` may. Keeps the id, to which rooms, trades and the log refer, and no
 * personal data; higher modules erase their own (`forgetUser`). Refuses with a guard's code (held money, an open trade), ADMIN_REQUIRED if
 * the actor deletes someone else and is no longer an administrator, USER_NOT_FOUND, and LAST_ADMIN. Calls `prove` last, once all locks are
 * held and nothing else refuses.
 */
export async function removeUser(
  tx: Tx,
  actor: Actor,
  userId: number,
  at: Date,
  prove?: () => Promise<{ ok: true } | DeletionRefusal>,
): Promise<{ ok: true } | DeletionRefusal> {
  const guarded = await mayDeleteUser(tx, userId);
  if (!guarded.ok) return guarded;
  await holdAdministrators(tx);
  if (!(await mayStillDelete(tx, actor, userId))) return { ok: false, code: "ADMIN_REQUIRED" };
  const user = await holdUser(tx, userId);
  if (user === undefined) return { ok: false, code: "USER_NOT_FOUND" };
  if (user.isAdmin && (await isLastAdmin(tx, userId))) return { ok: false, code: "LAST_ADMIN" };
  const proved = await prove?.();
  if (proved?.ok === false) return proved;
  await eraseUser(tx, actor, user, at);
  return { ok: true };
}

/** Erases a person as `removeUser` does, but without an acting user: for people whom a restored backup has brought back. */
export async function eraseUserAsOperator(
  tx: Tx,
  userId: number,
  at: Date,
): Promise<{ ok: true } | DeletionRefusal> {
  const guarded = await mayDeleteUser(tx, userId);
  if (!guarded.ok) return guarded;
  await holdAdministrators(tx);
  const user = await holdUser(tx, userId);
  if (user === undefined) return { ok: false, code: "USER_NOT_FOUND" };
  if (user.isAdmin && (await isLastAdmin(tx, userId))) return { ok: false, code: "LAST_ADMIN" };
  await eraseUser(tx, operatorActor, user, at);
  return { ok: true };
}

/** The operator at the console; audit entries name no user. */
const operatorActor: Actor = { kind: "visitor", ip: "", device: "", language: "en", requestId: "" };

async function eraseUser(tx: Tx, actor: Actor, user: UserRow, at: Date): Promise<void> {
  const userId = user.id;
  await keepIdentifiersOfRestricted(tx, userId, at);
  await forgetUserInModules(tx, userId, at);
  await anonymizeUser(tx, userId, at);
  await forgetFactor(tx, userId);
  const passkeys = await forgetPasskeys(tx, userId);
  await voidLinks(tx, undefined, userId);
  await tx.delete(profileChangesTable).where(eq(profileChangesTable.userId, userId));
  await forgetRestrictions(tx, userId, actor, at);
  await tx.delete(savedFiltersTable).where(eq(savedFiltersTable.userId, userId));
  const ended = await endSessionsOf(tx, userId);
  await forgetPushes(tx, userId);
  await forgetMails(tx, userId);
  const subject = { kind: "user", id: userId };
  const before = {
    deleted: false,
    isAdmin: user.isAdmin,
    secondFactor: user.secondFactorAt !== null,
    passkeys,
  };
  const after = { deleted: true, isAdmin: false, secondFactor: false, passkeys: 0 };
  const data = { before, after, sessionsEnded: ended };
  await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "user_deleted", at, subject, data });
  journalErasure(tx, user, at);
}

async function mayStillDelete(tx: Tx, actor: Actor, userId: number): Promise<boolean> {
  if (actor.kind !== "user") return false;
  return actor.userId === userId || isAdministrator(tx, actor.userId);
}

async function anonymizeUser(tx: Tx, userId: number, at: Date): Promise<void> {
  await tx
    .update(usersTable)
    .set({
      // No username may contain "#", so nobody can take the name of a deleted person.
      username: `deleted#${userId}`,
      usernameKey: null,
      email: null,
      displayName: `#${userId}`,
      avatarInitials: "–",
      phoneNumber: null,
      bankAccount: null,
      passwordHash: null,
      mustChangePassword: false,
      isAdmin: false,
      secondFactorAt: null,
      quietFrom: null,
      quietTo: null,
      restriction: null,
      restrictedUntil: null,
      emailVerifiedAt: null,
      updatedAt: at,
      deletedAt: at,
    })
    .where(eq(usersTable.id, userId));
}
