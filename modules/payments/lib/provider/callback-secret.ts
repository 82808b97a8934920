import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A callback secret: 256 random bits as 43 URL-safe characters, and the hash that alone is kept. */
export function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString("base64url");
  return { secret, hash: hashOf(secret) };
}

/** Compares in a time that tells nothing of where two differ. */
export function isSecret(secret: string, hash: Buffer): boolean {
  return timingSafeEqual(hashOf(secret), hash);
}

/** Random of full strength needs no slow hash. */
function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
