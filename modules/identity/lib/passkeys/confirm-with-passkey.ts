import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { movePushDevice } from "#modules/mailer";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { holdUser } from "../core/users/find-users.ts";
import { mayTry, type ThrottleRefusal } from "../login/throttles.ts";
import { refuseSuspended } from "../restrictions/suspensions/refuse-suspended.ts";
import { endSession, holdMember, type OpenedSession, openSession } from "../sessions/sessions.ts";
import { openChallenge, takeChallenge } from "./challenges.ts";
import type { Assertion } from "./forms.ts";
import { type PasskeyRequest, refusePasskey, requestOptions } from "./sign-in-with-passkey.ts";
import {
  countPasskeyUse,
  type PasskeyFailed,
  passkeyByCredential,
  passkeyFailed,
  passkeysOf,
} from "./stored-passkeys.ts";
import { verifyAssertion } from "./verify-passkey.ts";

type PasskeyConfirmation = { ok: true; session: OpenedSession };
type AuthRequired = { ok: false; code: "AUTH_REQUIRED" };
const authRequired: AuthRequired = { ok: false, code: "AUTH_REQUIRED" };

/** Options for one of the actor's own passkeys, with which they prove once more who they are. PASSKEY_FAILED where they have none. */
export async function beginPasskeyConfirmation(
  actor: Actor,
): Promise<PasskeyRequest | PasskeyFailed | AuthRequired | ThrottleRefusal> {
  if (actor.kind !== "user") return authRequired;
  const at = currentTime();
  const passed = await mayTry({ "passkey-begin:user": String(actor.userId) }, at);
  if (!passed.ok) return passed;
  const own = (await passkeysOf(db(), actor.userId)).filter(({ copiedAt }) => copiedAt === null);
  if (own.length === 0) return passkeyFailed;
  const { challenge, ticket } = await openChallenge("confirm", { userId: actor.userId }, at);
  return { ok: true, ticket, options: await requestOptions(challenge, own) };
}

/**
 * Proves once more who is at the keyboard, which counts for the next ten minutes (`requireFreshLogin`), as the password and its code
 * do. The token changes with it. PASSKEY_FAILED for anything wrong, somebody else's passkey included;
 * AUTH_REQUIRED where the session ended meanwhile, as a suspension ends it.
 */
export async function confirmWithPasskey(
  actor: Actor,
  { ticket, credential }: { ticket: string | undefined; credential: Assertion },
): Promise<PasskeyConfirmation | PasskeyFailed | AuthRequired | ThrottleRefusal> {
  if (actor.kind !== "user") return authRequired;
  const at = currentTime();
  const passed = await mayTry({ "passkey:user": String(actor.userId) }, at);
  if (!passed.ok) return passed;
  const begun = await takeChallenge(ticket, ["confirm"], at);
  const passkey = await passkeyByCredential(db(), credential.id);
  const { userHandle } = credential.response;
  const own =
    begun?.userId === actor.userId &&
    passkey?.userId === actor.userId &&
    // Authenticators may leave the handle out where they were told which passkeys to use.
    (userHandle === undefined || userHandle === null || userHandle === passkey.userHandle);
  const proof = own ? await verifyAssertion(credential, begun.challenge, passkey) : undefined;
  if (passkey === undefined || proof === undefined) return refusePasskey(actor, actor.userId, at);
  const done = await runInTransaction(async (tx): Promise<PasskeyConfirmation | AuthRequired | undefined> => {
    const user = await holdUser(tx, actor.userId);
    if (user === undefined) return authRequired;
    if (!(await countPasskeyUse(tx, actor, user, { id: passkey.id, ...proof }, at))) return undefined;
    // A suspension that came meanwhile ended the session; why, they are told when they sign in.
    if ((await refuseSuspended(tx, actor, user, "passkey", at)) !== undefined) return authRequired;
    if ((await holdMember(tx, actor)) === undefined) return authRequired;
    const { id, ...session } = await openSession(tx, user, actor, at, passkey.id);
    await movePushDevice(tx, actor.sessionId, id);
    await endSession(tx, actor.userId, actor.sessionId);
    const subject = { kind: "session", id };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "passkey_confirmed",
      at,
      subject,
      data: { passkey: passkey.id },
    });
    return { ok: true, session };
  });
  return done ?? refusePasskey(actor, actor.userId, at);
}
