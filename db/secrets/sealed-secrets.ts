import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { encryptionKey, encryptionKeysBefore } from "./instance-secrets.ts";

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a secret for its row: AES-256-GCM with a nonce of its own, as nonce, ciphertext, tag. `whose` is
 * authenticated with it: a secret that was copied into another row does not open there. `key` is 32 bytes; without it, ours.
 */
export function sealRowSecret(secret: Uint8Array, whose: string, key: Uint8Array = encryptionKey()): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(whose));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/**
 * The secret that was sealed for the same `whose`, by the given key, else by ours of today or one of those before it; throws when
 * anything of it was changed, or the key is another.
 */
export function unsealRowSecret(sealed: Buffer, whose: string, key?: Uint8Array): Buffer {
  if (key !== undefined) return unsealWithKey(sealed, whose, key);
  for (const known of [encryptionKey(), ...encryptionKeysBefore()]) {
    const secret = tryUnsealWithKey(sealed, whose, known);
    if (secret !== undefined) return secret;
  }
  return unsealWithKey(sealed, whose, encryptionKey()); // says why today's does not open it
}

/** True where a key at hand, today's or one of those before it, opens what was sealed for `whose`. */
export function canUnseal(sealed: Buffer, whose: string): boolean {
  return [encryptionKey(), ...encryptionKeysBefore()].some(
    (key) => tryUnsealWithKey(sealed, whose, key) !== undefined,
  );
}

/** What sealing by the key of today came to: how many secrets were sealed anew, and, by name, those that no key at hand opens. */
export type ResealOutcome = { done: number; shut: string[] };

/**
 * Hands the same secret, sealed by the key of today, to `write`, where one of the keys before had sealed it. One that no key at hand opens
 * is answered by `name` and left as it is.
 */
export async function resealRowSecret(
  { sealed, whose, name }: { sealed: Buffer; whose: string; name: string },
  write: (sealed: Buffer) => Promise<unknown>,
): Promise<ResealOutcome> {
  if (!isSealedByOlderKey(sealed, whose)) return { done: 0, shut: [] };
  if (!canUnseal(sealed, whose)) return { done: 0, shut: [name] };
  await write(sealRowSecret(unsealRowSecret(sealed, whose), whose));
  return { done: 1, shut: [] };
}

/** Several results as one. */
export function mergeResealOutcomes(results: readonly ResealOutcome[]): ResealOutcome {
  return {
    done: results.reduce((total, { done }) => total + done, 0),
    shut: results.flatMap(({ shut }) => shut),
  };
}

/** True where the key of today does not open it. */
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
