import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A callback secret: 256 random bits as 43 URL-safe characters, and its hash; only the hash is stored. */
export function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString("base64url");
  return { secret, hash: hashOf(secret) };
}

/** Compares in constant time, so that the duration does not reveal where two secrets differ. */
export function isSecret(secret: string, hash: Buffer): boolean {
  return timingSafeEqual(hashOf(secret), hash);
}

/** SHA-256 suffices: a secret of 256 random bits needs no slow hash. */
function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
