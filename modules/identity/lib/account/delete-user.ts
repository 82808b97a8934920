import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { forgetMails, forgetPushes } from "#modules/mailer";
import { holdAdministrators, isLastAdmin } from "../administrators/administrator-grants.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type DeletionObstacle, forgetUserInModules, mayDeleteUser } from "../core/identity-guards.ts";
import { profileChangesTable, savedFiltersTable, usersTable } from "../core/schema.ts";
import { holdUser, type UserRow } from "../core/users/find-users.ts";
import { journalErasure } from "../erasures/erasure-journal.ts";
import { voidLinks } from "../login/mailed-links.ts";
import { forgetPasskeys } from "../passkeys/stored-passkeys.ts";
import { forgetRestrictions } from "../restrictions/forget-restrictions.ts";
import { keepIdentifiersOfRestricted } from "../restrictions/linked-accounts.ts";
import { forgetFactor } from "../second-factor/recovery-codes.ts";
import { endSessionsOf } from "../sessions/sessions.ts";

/** Why a deletion is refused, whoever asks for it. */
export type DeletionRefusal = DeletionObstacle | { ok: false; code: "USER_NOT_FOUND" };
/** Refuses to leave Midman without an administrator. */
export type LastAdminRefusal = { ok: false; code: "LAST_ADMIN" };
type Refusal = { ok: false; code: string };
type Check<Refused extends Refusal> = Promise<{ ok: true } | Refused>;

/**
 * Deletes a person's account; the caller has checked that `actor` may. Keeps the id, to which rooms, trades and the log refer, and no
 * personal data; higher modules erase their own (`forgetUser`). Refuses with a guard's code (held money, an open trade), and
 * USER_NOT_FOUND. Calls `authorize` once the administrators are locked, and `prove` last, once all locks are held and nothing else refuses;
 * each may refuse with a code of its own.
 */
export async function removeUser<Unauthorized extends Refusal = never, Unproved extends Refusal = never>(
  tx: Tx,
  actor: Actor,
  userId: number,
  at: Date,
  checks: { authorize?: () => Check<Unauthorized>; prove?: (user: UserRow) => Check<Unproved> },
): Promise<{ ok: true } | DeletionRefusal | Unauthorized | Unproved> {
  const guarded = await mayDeleteUser(tx, userId);
  if (!guarded.ok) return guarded;
  await holdAdministrators(tx);
  const authorized = await checks.authorize?.();
  if (authorized?.ok === false) return authorized;
  const user = await holdUser(tx, userId);
  if (user === undefined) return { ok: false, code: "USER_NOT_FOUND" };
  const proved = await checks.prove?.(user);
  if (proved?.ok === false) return proved;
  await eraseUser(tx, actor, user, at);
  return { ok: true };
}
/** LAST_ADMIN for the only administrator. The caller has locked the administrators (`holdAdministrators`). */
export async function refuseLastAdmin(
  tx: Tx,
  { id, isAdmin }: Pick<UserRow, "id" | "isAdmin">,
): Promise<{ ok: true } | LastAdminRefusal> {
  return isAdmin && (await isLastAdmin(tx, id)) ? { ok: false, code: "LAST_ADMIN" } : { ok: true };
}

/** Erases a person as `removeUser` does, but without an acting user: for people whom a restored backup has brought back. */
export function eraseUserAsOperator(
  tx: Tx,
  userId: number,
  at: Date,
): Promise<{ ok: true } | DeletionRefusal | LastAdminRefusal> {
  return removeUser(tx, operatorActor, userId, at, { prove: (user) => refuseLastAdmin(tx, user) });
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
