import { and, asc, eq } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { passkeyChallengesTable, passkeysTable } from "../core/schema.ts";
import type { UserRow } from "../core/users/find-users.ts";
import { endSessionsOfPasskey } from "../sessions/sessions.ts";

export type PasskeyRow = typeof passkeysTable.$inferSelect;

/** The only refusal for anything wrong with a passkey: the caller learns no more. */
export type PasskeyFailed = { ok: false; code: "PASSKEY_FAILED" };
export const passkeyFailed: PasskeyFailed = { ok: false, code: "PASSKEY_FAILED" };

/** A user's passkeys, in order of creation. */
export function passkeysOf(exec: Executor, userId: number): Promise<PasskeyRow[]> {
  return exec
    .select()
    .from(passkeysTable)
    .where(eq(passkeysTable.userId, userId))
    .orderBy(asc(passkeysTable.id));
}

/** The passkey with this credential id, whoever owns it. */
export async function passkeyByCredential(
  exec: Executor,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  const [row] = await exec.select().from(passkeysTable).where(eq(passkeysTable.credentialId, credentialId));
  return row;
}

/** One of a user's passkeys, locked until the transaction ends. */
export async function holdPasskey(tx: Tx, userId: number, id: number): Promise<PasskeyRow | undefined> {
  const own = and(eq(passkeysTable.id, id), eq(passkeysTable.userId, userId));
  const [row] = await tx.select().from(passkeysTable).where(own).for("update");
  return row;
}

/** Removes every passkey of a user and their challenges; returns the number of passkeys. The caller has locked the user's row. */
export async function forgetPasskeys(tx: Tx, userId: number): Promise<number> {
  await tx.delete(passkeyChallengesTable).where(eq(passkeyChallengesTable.userId, userId));
  const gone = await tx
    .delete(passkeysTable)
    .where(eq(passkeysTable.userId, userId))
    .returning({ id: passkeysTable.id });
  return gone.length;
}

/**
 * Records a use of a passkey whose signature was correct; false if the passkey does not work. A counter that did not grow means that the
 * authenticator was copied, and which of the two this is cannot be told: the passkey is disabled permanently, the sessions it opened end,
 * and its owner is notified by mail. The caller has locked the user's row, and commits in either case.
 */
export async function countPasskeyUse(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  used: { id: number; counter: number },
  at: Date,
): Promise<boolean> {
  const held = await holdPasskey(tx, user.id, used.id);
  if (held === undefined || held.copiedAt !== null) return false;
  const counts = used.counter > 0 || held.counter > 0;
  if (counts && used.counter <= held.counter) {
    await disableCopiedPasskey(tx, actor, user, held, at);
    return false;
  }
  await tx
    .update(passkeysTable)
    .set({ counter: used.counter, lastUsedAt: at })
    .where(eq(passkeysTable.id, held.id));
  return true;
}

async function disableCopiedPasskey(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  passkey: PasskeyRow,
  at: Date,
): Promise<void> {
  await tx.update(passkeysTable).set({ copiedAt: at }).where(eq(passkeysTable.id, passkey.id));
  const data = { passkey: passkey.id, sessionsEnded: await endSessionsOfPasskey(tx, user.id, passkey.id) };
  const subject = { kind: "user", id: user.id };
  await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "passkey_copied", at, subject, data });
  await mailSecurityNotice(tx, user, "passkey_copied", actor, at, "/settings#passkeys");
}
