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

/** Options for confirming the actor's identity with one of their own passkeys. Refuses PASSKEY_FAILED if they have none. */
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
 * Confirms the actor's identity with a passkey. It counts as a fresh login for ten minutes (`requireFreshLogin`), like the password and its
 * code, and renews the token. Refuses PASSKEY_FAILED for anything wrong, including someone else's passkey; AUTH_REQUIRED if the session
 * ended meanwhile, for instance by a suspension.
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
    // Authenticators may omit the handle if they were given the list of allowed passkeys.
    (userHandle === undefined || userHandle === null || userHandle === passkey.userHandle);
  const proof = own ? await verifyAssertion(credential, begun.challenge, passkey) : undefined;
  if (passkey === undefined || proof === undefined) return refusePasskey(actor, actor.userId, at);
  const done = await runInTransaction(async (tx): Promise<PasskeyConfirmation | AuthRequired | undefined> => {
    const user = await holdUser(tx, actor.userId);
    if (user === undefined) return authRequired;
    if (!(await countPasskeyUse(tx, actor, user, { id: passkey.id, ...proof }, at))) return undefined;
    // A suspension in the meantime has ended the session; the person learns the reason when they sign in.
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
