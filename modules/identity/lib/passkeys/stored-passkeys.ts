import { and, asc, eq } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { passkeyChallengesTable, passkeysTable } from "../core/schema.ts";
import type { UserRow } from "../core/users/find-users.ts";
import { endSessionsOfPasskey } from "../sessions/sessions.ts";

export type PasskeyRow = typeof passkeysTable.$inferSelect;

/** Whatever was wrong with a passkey's answer: a caller learns no more. */
export type PasskeyFailed = { ok: false; code: "PASSKEY_FAILED" };
export const passkeyFailed: PasskeyFailed = { ok: false, code: "PASSKEY_FAILED" };

/** The passkeys of a user, the first made first. */
export function passkeysOf(exec: Executor, userId: number): Promise<PasskeyRow[]> {
  return exec
    .select()
    .from(passkeysTable)
    .where(eq(passkeysTable.userId, userId))
    .orderBy(asc(passkeysTable.id));
}

/** The passkey an authenticator names, whosever it is. */
export async function passkeyByCredential(
  exec: Executor,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  const [row] = await exec.select().from(passkeysTable).where(eq(passkeysTable.credentialId, credentialId));
  return row;
}

/** One of a user's passkeys, held until the transaction ends. */
export async function holdPasskey(tx: Tx, userId: number, id: number): Promise<PasskeyRow | undefined> {
  const own = and(eq(passkeysTable.id, id), eq(passkeysTable.userId, userId));
  const [row] = await tx.select().from(passkeysTable).where(own).for("update");
  return row;
}

/** Removes every passkey of a user, and what was begun with one; answers how many. The caller holds the user's row. */
export async function forgetPasskeys(tx: Tx, userId: number): Promise<number> {
  await tx.delete(passkeyChallengesTable).where(eq(passkeyChallengesTable.userId, userId));
  const gone = await tx
    .delete(passkeysTable)
    .where(eq(passkeysTable.userId, userId))
    .returning({ id: passkeysTable.id });
  return gone.length;
}

/**
 * Counts a use of a passkey whose signature was right; false when it opens nothing. A counter that did not grow means that the
 * authenticator was copied, and nobody can tell which of the two this is: the passkey stops for good, the sessions it opened end,
 * and its owner is mailed. The caller holds the user's row, and commits whatever is answered.
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
