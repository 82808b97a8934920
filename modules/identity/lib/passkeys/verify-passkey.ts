import type { Assertion, Attestation } from "./forms.ts";
import { relyingParty } from "./relying-party.ts";

/** Signature algorithms allowed for a new passkey (COSE): ES256, EdDSA and RS256; every platform supports one of them. */
export const signatureAlgorithms = [-7, -8, -257];

/** The stored fields that verify a passkey's signatures. */
type StoredPasskey = { credentialId: string; publicKey: Uint8Array };

/**
 * Verifies that an assertion is a signature of this passkey over this challenge, made at Midman's origin for its host, with the user
 * present and verified. Returns the passkey's counter; undefined for anything else, including malformed input.
 */
export async function verifyAssertion(
  { id, rawId, type, response }: Assertion,
  challenge: string,
  stored: StoredPasskey,
): Promise<{ counter: number } | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
  const { userHandle, ...signed } = response;
  // The library compares counters before it checks the signature, which would let anyone report a copy of someone's passkey.
  // `countPasskeyUse` compares them afterwards, so the library gets 0 here.
  const credential = { id: stored.credentialId, publicKey: new Uint8Array(stored.publicKey), counter: 0 };
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { ...signed, ...(userHandle && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      credential,
      requireUserVerification: true,
    });
    return verified && id === stored.credentialId ? { counter: authenticationInfo.newCounter } : undefined;
  } catch {
    // Every check of the library throws; which one failed would help only an attacker.
    return undefined;
  }
}

/**
 * The fields to store for a new passkey, if the attestation answers this challenge under the conditions of `verifyAssertion`; otherwise
 * undefined.
 */
export async function verifyAttestation(
  { id, rawId, type, response }: Attestation,
  challenge: string,
): Promise<(StoredPasskey & { counter: number; transports: string }) | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
  const { transports, ...made } = response;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: made, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: signatureAlgorithms,
    });
    if (!verified || registrationInfo.credential.id !== id) return undefined;
    const { publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey, counter, transports: [...new Set(transports)].sort().join(",") };
  } catch {
    return undefined;
  }
}
