import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotFresh, type NotSignedIn, requireFreshLogin, requireUser } from "../core/require-actor.ts";
import { passkeysTable, sessionsTable } from "../core/schema.ts";
import { endSessionsOfPasskey, holdMember } from "../sessions/sessions.ts";
import type { RenamePasskeyInput } from "./forms.ts";
import type { OwnPasskey } from "./responses.ts";
import { holdPasskey, type PasskeyRow, passkeysOf } from "./stored-passkeys.ts";

type NoSuchPasskey = { ok: false; code: "PASSKEY_NOT_FOUND" };

/** The owner's view of a passkey's row. */
export function ownPasskey({ id, name, createdAt, lastUsedAt, copiedAt }: PasskeyRow): OwnPasskey {
  return { id, name, createdAt, lastUsedAt, copied: copiedAt !== null };
}

/** The actor's passkeys, in order of creation. */
export async function ownPasskeys(actor: Actor): Promise<{ ok: true; passkeys: OwnPasskey[] } | NotSignedIn> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const rows = await passkeysOf(db(), needed.member.userId);
  return { ok: true, passkeys: rows.map(ownPasskey) };
}

/** Whether the actor has a passkey that still works; also for an actor who must first change the password or a name. */
export async function hasUsablePasskey(actor: Actor): Promise<boolean> {
  if (actor.kind !== "user") return false;
  return (await passkeysOf(db(), actor.userId)).some(({ copiedAt }) => copiedAt === null);
}

/** Renames one of the actor's own passkeys. Someone else's is refused as if it did not exist (PASSKEY_NOT_FOUND). */
export async function renamePasskey(
  actor: Actor,
  id: number,
  { name }: RenamePasskeyInput,
): Promise<{ ok: true; passkey: OwnPasskey } | NotSignedIn | NoSuchPasskey> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const { userId } = needed.member;
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const held = await holdPasskey(tx, userId, id);
    if (held === undefined) return { ok: false, code: "PASSKEY_NOT_FOUND" };
    if (held.name === name) return { ok: true, passkey: ownPasskey(held) };
    await tx.update(passkeysTable).set({ name }).where(eq(passkeysTable.id, id));
    const subject = { kind: "user", id: userId };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "passkey_renamed",
      at,
      subject,
      data: { passkey: id },
    });
    return { ok: true, passkey: ownPasskey({ ...held, name }) };
  });
}

/**
 * Removes one of the actor's own passkeys and notifies them by mail. Ends the other sessions that were opened with it: a person who removes
 * a lost phone's passkey wants that phone signed out. This session stays open, no longer proved by a passkey. Refuses REAUTH_REQUIRED.
 */
export async function removePasskey(
  actor: Actor,
  id: number,
): Promise<{ ok: true; ended: number } | NotFresh | NoSuchPasskey> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  const { member } = needed;
  const { userId, sessionId } = member;
  return runInTransaction(async (tx) => {
    const user = await holdMember(tx, member);
    if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    const held = await holdPasskey(tx, userId, id);
    if (held === undefined) return { ok: false, code: "PASSKEY_NOT_FOUND" };
    await tx.delete(passkeysTable).where(eq(passkeysTable.id, id));
    const ended = await endSessionsOfPasskey(tx, userId, id, sessionId);
    await tx.update(sessionsTable).set({ passkeyId: null }).where(eq(sessionsTable.passkeyId, id));
    const subject = { kind: "user", id: userId };
    const data = { passkey: id, sessionsEnded: ended };
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "passkey_removed", at, subject, data });
    await mailSecurityNotice(tx, user, "passkey_removed", actor, at, "/settings#passkeys");
    return { ok: true, ended };
  });
}
