import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { encryptionKey } from "./secrets.ts";

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

/** The secret that was sealed for the same `whose`; throws when anything of it was changed, or the key is another. */
export function unseal(sealed: Buffer, whose: string, key: Uint8Array = encryptionKey()): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(whose)).setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
