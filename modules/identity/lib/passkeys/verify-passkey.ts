import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import type { Assertion, Attestation } from "./forms.ts";
import { relyingParty } from "./relying-party.ts";

/** Signature algorithms a new passkey may have (COSE): ES256, EdDSA and RS256, which every platform has one of. */
export const signatureAlgorithms = [-7, -8, -257];

/** What is stored of a passkey to check its signatures. */
type StoredPasskey = { credentialId: string; publicKey: Uint8Array };

/**
 * Whether an answer is a signature of this passkey over this challenge, made at our origin for our host with its user present and
 * verified; answers the passkey's counter. Undefined for anything else, garbage included.
 */
export async function verifyAssertion(
  { id, rawId, type, response }: Assertion,
  challenge: string,
  stored: StoredPasskey,
): Promise<{ counter: number } | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
  const { userHandle, ...signed } = response;
  // The library compares counters before it checks the signature, so that anybody could report a copy of somebody's passkey. Ours is
  // compared afterwards (`countPasskeyUse`), and the library told of none.
  const credential = { id: stored.credentialId, publicKey: new Uint8Array(stored.publicKey), counter: 0 };
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
    // Every check of the library throws; which of them it was is nobody's business but an attacker's.
    return undefined;
  }
}

/** What a new passkey is stored as, if the answer is one to this challenge, made as `verifyAssertion` says; else undefined. */
export async function verifyAttestation(
  { id, rawId, type, response }: Attestation,
  challenge: string,
): Promise<(StoredPasskey & { counter: number; transports: string }) | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
  const { transports, ...made } = response;
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
