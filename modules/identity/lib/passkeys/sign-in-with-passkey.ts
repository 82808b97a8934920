import type { generateAuthenticationOptions } from "@simplewebauthn/server";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { holdUser } from "../core/users/find-users.ts";
import { userViewOf } from "../core/users/user-view.ts";
import type { LoginSuccess, SuspendedLogin } from "../login/login.ts";
import { mayTry, type ThrottleRefusal } from "../login/throttles.ts";
import { networkPrefixOf } from "../request/network-prefix.ts";
import { refuseSuspended } from "../restrictions/suspensions/refuse-suspended.ts";
import { endSessionOfActor, openSession } from "../sessions/sessions.ts";
import { type ChallengeTicket, challengeLifetime, openChallenge, takeChallenge } from "./challenges.ts";
import type { Assertion, PasskeyDoor } from "./forms.ts";
import { relyingParty } from "./relying-party.ts";
import {
  countPasskeyUse,
  type PasskeyFailed,
  type PasskeyRow,
  passkeyByCredential,
  passkeyFailed,
} from "./stored-passkeys.ts";
import { verifyAssertion } from "./verify-passkey.ts";

/** Options for `PublicKeyCredential.parseRequestOptionsFromJSON`, and the ticket that the credential must come with. */
export type PasskeyRequest = {
  ok: true;
  options: Awaited<ReturnType<typeof generateAuthenticationOptions>>;
  ticket: ChallengeTicket;
};

/** Options for any of Midman's passkeys that the browser has: no username is typed, and none is revealed. */
export async function beginPasskeySignIn(
  actor: Actor,
  { door }: PasskeyDoor,
): Promise<PasskeyRequest | ThrottleRefusal> {
  const at = currentTime();
  const passed = await mayTry({ "passkey-begin:ip": networkPrefixOf(actor.ip) }, at);
  if (!passed.ok) return passed;
  const { challenge, ticket } = await openChallenge(door, undefined, at);
  return { ok: true, ticket, options: await requestOptions(challenge) };
}

/** Options with which a browser is asked for a signature; `allowed` restricts it to these passkeys. */
export async function requestOptions(challenge: string, allowed: readonly PasskeyRow[] = []) {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    userVerification: "required",
    timeout: challengeLifetime,
    allowCredentials: allowed.map(({ credentialId }) => ({ id: credentialId })),
  });
}

/**
 * Signs a person in with a passkey, which is password and second factor in one: the person holds it, and it has verified them. Ends the
 * session that the browser came with. The administrators' page admits only administrators. Anything wrong is PASSKEY_FAILED and uses the
 * challenge up. Refuses ACCOUNT_SUSPENDED for a suspended person with a correct passkey.
 */
export async function signInWithPasskey(
  actor: Actor,
  { ticket, credential }: { ticket: string | undefined; credential: Assertion },
): Promise<LoginSuccess | SuspendedLogin | PasskeyFailed | ThrottleRefusal> {
  const at = currentTime();
  const passed = await mayTry({ "passkey:ip": networkPrefixOf(actor.ip) }, at);
  if (!passed.ok) return passed;
  const begun = await takeChallenge(ticket, ["login", "admin_login"], at);
  const passkey = await passkeyByCredential(db(), credential.id);
  // Without a typed username, the handle says whose passkey the authenticator meant.
  const named = passkey !== undefined && passkey.userHandle === credential.response.userHandle;
  const proof = begun && named ? await verifyAssertion(credential, begun.challenge, passkey) : undefined;
  if (begun === undefined || passkey === undefined || proof === undefined) {
    return refusePasskey(actor, passkey?.userId, at);
  }
  const action = begun.purpose === "admin_login" ? "admin_login" : "login";
  const done = await runInTransaction(async (tx): Promise<LoginSuccess | SuspendedLogin | undefined> => {
    const user = await holdUser(tx, passkey.userId);
    if (user === undefined || (action === "admin_login" && !user.isAdmin)) return undefined;
    if (!(await countPasskeyUse(tx, actor, user, { id: passkey.id, ...proof }, at))) return undefined;
    const suspended = await refuseSuspended(tx, actor, user, action, at);
    if (suspended !== undefined) return suspended;
    await endSessionOfActor(tx, actor);
    const { id, ...session } = await openSession(tx, user, actor, at, passkey.id);
    const subject = { kind: "session", id };
    await recordAuditEntry(tx, {
      by: { ...auditAuthorOf(actor), userId: user.id },
      action,
      at,
      subject,
      data: { passkey: passkey.id },
    });
    return { ok: true, user: userViewOf(user), session };
  });
  return done ?? refusePasskey(actor, passkey.userId, at);
}

/** Records a failed passkey in the log, and returns the refusal. */
export async function refusePasskey(
  actor: Actor,
  userId: number | undefined,
  at: Date,
): Promise<PasskeyFailed> {
  const subject = userId === undefined ? undefined : { kind: "user", id: userId };
  await runInTransaction((tx) =>
    recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "passkey_failed",
      at,
      ...(subject && { subject }),
    }),
  );
  return passkeyFailed;
}
