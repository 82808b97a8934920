import { randomBytes } from "node:crypto";
import type { generateRegistrationOptions } from "@simplewebauthn/server";
import { and, eq } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf, type Member } from "../core/actor.ts";
import { type NotFresh, requireFreshLogin } from "../core/require-actor.ts";
import { passkeysTable, sessionsTable } from "../core/schema.ts";
import { mayTry, type ThrottleRefusal } from "../login/throttles.ts";
import { deviceName } from "../request/device-name.ts";
import { holdMember } from "../sessions/sessions.ts";
import { type ChallengeTicket, challengeLifetime, openChallenge, takeChallenge } from "./challenges.ts";
import { passkeyLimits, type RegisterPasskeyInput } from "./forms.ts";
import { ownPasskey } from "./manage-passkeys.ts";
import { relyingParty } from "./relying-party.ts";
import type { OwnPasskey } from "./responses.ts";
import { refusePasskey } from "./sign-in-with-passkey.ts";
import { type PasskeyFailed, type PasskeyRow, passkeysOf } from "./stored-passkeys.ts";
import { signatureAlgorithms, verifyAttestation } from "./verify-passkey.ts";

type PasskeysFull = { ok: false; code: "PASSKEYS_FULL" };
const passkeysFull: PasskeysFull = { ok: false, code: "PASSKEYS_FULL" };

/** Options for `PublicKeyCredential.parseCreationOptionsFromJSON`, and the ticket that the credential must come with. */
export type PasskeyOffer = {
  ok: true;
  options: Awaited<ReturnType<typeof generateRegistrationOptions>>;
  ticket: ChallengeTicket;
};

/**
 * Options for a new passkey, which the authenticator stores for Midman's host and finds without a username (a discoverable credential). An
 * authenticator that already holds one of the actor's passkeys creates no second one. Refuses REAUTH_REQUIRED, THROTTLED, and PASSKEYS_FULL
 * from the eleventh.
 */
export async function beginPasskey(
  actor: Actor,
): Promise<PasskeyOffer | NotFresh | PasskeysFull | ThrottleRefusal> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  const { userId, username, displayName } = needed.member;
  const passed = await mayTry({ "passkey-begin:user": String(userId) }, at);
  if (!passed.ok) return passed;
  const own = await passkeysOf(db(), userId);
  if (own.length >= passkeyLimits.most) return passkeysFull;
  const userHandle = own[0]?.userHandle ?? randomBytes(32).toString("base64url");
  const { challenge, ticket } = await openChallenge("register", { userId, userHandle }, at);
  return {
    ok: true,
    ticket,
    options: await creationOptions({ username, displayName, userHandle, challenge, own }),
  };
}

async function creationOptions(given: {
  username: string;
  displayName: string;
  userHandle: string;
  challenge: string;
  own: readonly PasskeyRow[];
}) {
  const { name, id } = relyingParty();
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpName: name,
    rpID: id,
    userName: given.username,
    userDisplayName: given.displayName,
    userID: bytes(given.userHandle),
    challenge: bytes(given.challenge),
    timeout: challengeLifetime,
    // Midman does not ask for the authenticator's maker.
    attestationType: "none",
    supportedAlgorithmIDs: signatureAlgorithms,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: given.own.map(({ credentialId }) => ({ id: credentialId })),
  });
}

/**
 * Stores a new passkey under a name and notifies its owner by mail. The current session counts as proved by it. Refuses REAUTH_REQUIRED,
 * THROTTLED, PASSKEYS_FULL, and PASSKEY_FAILED for a credential that does not answer the challenge or is registered already.
 */
export async function registerPasskey(
  actor: Actor,
  { ticket, name, credential }: RegisterPasskeyInput & { ticket: string | undefined },
): Promise<{ ok: true; passkey: OwnPasskey } | NotFresh | PasskeyFailed | PasskeysFull | ThrottleRefusal> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  const { member } = needed;
  const passed = await mayTry({ "passkey:user": String(member.userId) }, at);
  if (!passed.ok) return passed;
  const begun = await takeChallenge(ticket, ["register"], at);
  const userHandle = begun?.userId === member.userId ? begun.userHandle : null;
  const made =
    begun && userHandle !== null ? await verifyAttestation(credential, begun.challenge) : undefined;
  if (made === undefined || userHandle === null) return refusePasskey(actor, member.userId, at);
  const row = {
    ...made,
    publicKey: Buffer.from(made.publicKey),
    userHandle,
    name: name || defaultPasskeyName(actor),
  };
  const done = await runInTransaction((tx) => storePasskey(tx, member, row, at));
  return done ?? refusePasskey(actor, member.userId, at);
}

type NewPasskey = Omit<typeof passkeysTable.$inferInsert, "userId" | "createdAt">;

/** Undefined if the passkey is registered already. */
async function storePasskey(
  tx: Tx,
  member: Member,
  made: NewPasskey,
  at: Date,
): Promise<
  { ok: true; passkey: OwnPasskey } | PasskeysFull | { ok: false; code: "AUTH_REQUIRED" } | undefined
> {
  const { userId, sessionId } = member;
  const user = await holdMember(tx, member);
  if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
  if ((await passkeysOf(tx, userId)).length >= passkeyLimits.most) return passkeysFull;
  const [row] = await tx
    .insert(passkeysTable)
    .values({ ...made, userId, createdAt: at })
    .onConflictDoNothing({ target: passkeysTable.credentialId })
    .returning();
  if (row === undefined) return undefined;
  const current = and(eq(sessionsTable.id, sessionId), eq(sessionsTable.userId, userId));
  await tx.update(sessionsTable).set({ passkeyId: row.id }).where(current);
  const subject = { kind: "user", id: userId };
  await recordAuditEntry(tx, {
    by: auditAuthorOf(member),
    action: "passkey_added",
    at,
    subject,
    data: { passkey: row.id },
  });
  await mailSecurityNotice(tx, user, "passkey_added", member, at, "/settings#passkeys");
  return { ok: true, passkey: ownPasskey(row) };
}

/** The browser and system in which it was created: "Chrome, Android". */
function defaultPasskeyName({ device }: Actor): string {
  const { browser, system } = deviceName(device);
  return [browser, system].filter((part) => part !== null).join(", ") || "Midman";
}
