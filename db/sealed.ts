import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { encryptionKey, encryptionKeysBefore } from "./secrets.ts";

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a secret for its row: AES-256-GCM with a nonce of its own, as nonce, ciphertext, tag. `whose` is
 * authenticated with it: a secret that was copied into another row does not open there. `key` is 32 bytes; without it, ours.
 */
export function seal(secret: Uint8Array, whose: string, key: Uint8Array = encryptionKey()): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(whose));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/**
 * The secret that was sealed for the same `whose`, by the given key, else by ours of today or one of those before it; throws when
 * anything of it was changed, or the key is another.
 */
export function unsealSecret(sealed: Buffer, whose: string, key?: Uint8Array): Buffer {
  if (key !== undefined) return opened(sealed, whose, key);
  for (const known of [encryptionKey(), ...encryptionKeysBefore()]) {
    const secret = openedOr(sealed, whose, known);
    if (secret !== undefined) return secret;
  }
  return opened(sealed, whose, encryptionKey()); // says why today's does not open it
}

/** True where a key at hand, today's or one of those before it, opens what was sealed for `whose`. */
export function opens(sealed: Buffer, whose: string): boolean {
  return [encryptionKey(), ...encryptionKeysBefore()].some(
    (key) => openedOr(sealed, whose, key) !== undefined,
  );
}

/** What sealing by the key of today came to: how many secrets were sealed anew, and, by name, those that no key at hand opens. */
export type Resealing = { done: number; shut: string[] };

/**
 * Hands the same secret, sealed by the key of today, to `write`, where one of the keys before had sealed it. One that no key at hand opens
 * is answered by `name` and left as it is.
 */
export async function reseal(
  { sealed, whose, name }: { sealed: Buffer; whose: string; name: string },
  write: (sealed: Buffer) => Promise<unknown>,
): Promise<Resealing> {
  if (!sealedBefore(sealed, whose)) return { done: 0, shut: [] };
  if (!opens(sealed, whose)) return { done: 0, shut: [name] };
  await write(seal(unsealSecret(sealed, whose), whose));
  return { done: 1, shut: [] };
}

/** Several results as one. */
export function allResealed(results: readonly Resealing[]): Resealing {
  return {
    done: results.reduce((total, { done }) => total + done, 0),
    shut: results.flatMap(({ shut }) => shut),
  };
}

/** True where the key of today does not open it. */
export function sealedBefore(sealed: Buffer, whose: string): boolean {
  return openedOr(sealed, whose, encryptionKey()) === undefined;
}

function openedOr(sealed: Buffer, whose: string, key: Uint8Array): Buffer | undefined {
  try {
    return opened(sealed, whose, key);
  } catch {
    return undefined;
  }
}

function opened(sealed: Buffer, whose: string, key: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(whose)).setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
