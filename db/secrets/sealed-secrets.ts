import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { encryptionKey, encryptionKeysBefore } from "./instance-secrets.ts";

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a secret for its row with AES-256-GCM and a fresh nonce; returns nonce, ciphertext and tag. `whose` is authenticated with it, so
 * that a secret copied into another row does not open there. `key` is 32 bytes; the default is the current encryption key.
 */
export function sealRowSecret(secret: Uint8Array, whose: string, key: Uint8Array = encryptionKey()): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(whose));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Opens a secret that was sealed for the same `whose` by `key`; without `key`, by the current encryption key or an earlier one. Throws if
 * it was altered or no key fits.
 */
export function unsealRowSecret(sealed: Buffer, whose: string, key?: Uint8Array): Buffer {
  if (key !== undefined) return unsealWithKey(sealed, whose, key);
  for (const known of [encryptionKey(), ...encryptionKeysBefore()]) {
    const secret = tryUnsealWithKey(sealed, whose, known);
    if (secret !== undefined) return secret;
  }
  return unsealWithKey(sealed, whose, encryptionKey()); // throws with the reason of the current key
}

/** True if the current encryption key or an earlier one opens what was sealed for `whose`. */
export function canUnseal(sealed: Buffer, whose: string): boolean {
  return [encryptionKey(), ...encryptionKeysBefore()].some(
    (key) => tryUnsealWithKey(sealed, whose, key) !== undefined,
  );
}

/** The outcome of resealing with the current key: how many secrets were resealed, and the names of those that no available key opens. */
export type ResealOutcome = { done: number; unopened: string[] };

/**
 * Passes a secret that an earlier key had sealed to `write`, sealed by the current key. A secret that no available key opens is reported by
 * `name` and left unchanged.
 */
export async function resealRowSecret(
  { sealed, whose, name }: { sealed: Buffer; whose: string; name: string },
  write: (sealed: Buffer) => Promise<unknown>,
): Promise<ResealOutcome> {
  if (!isSealedByOlderKey(sealed, whose)) return { done: 0, unopened: [] };
  if (!canUnseal(sealed, whose)) return { done: 0, unopened: [name] };
  await write(sealRowSecret(unsealRowSecret(sealed, whose), whose));
  return { done: 1, unopened: [] };
}

/** Merges several outcomes into one. */
export function mergeResealOutcomes(results: readonly ResealOutcome[]): ResealOutcome {
  return {
    done: results.reduce((total, { done }) => total + done, 0),
    unopened: results.flatMap(({ unopened }) => unopened),
  };
}

/** True if the current key does not open it. */
export function isSealedByOlderKey(sealed: Buffer, whose: string): boolean {
  return tryUnsealWithKey(sealed, whose, encryptionKey()) === undefined;
}

function tryUnsealWithKey(sealed: Buffer, whose: string, key: Uint8Array): Buffer | undefined {
  try {
    return unsealWithKey(sealed, whose, key);
  } catch {
    return undefined;
  }
}

function unsealWithKey(sealed: Buffer, whose: string, key: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(whose)).setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
