import { createHash, randomBytes } from "node:crypto";

/** A new secret of 256 random bits, in characters that suit a cookie and a link. It is issued once and never stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a token. SHA-256 alone is enough: 256 random bits cannot be guessed from their digest. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A password to be changed at the next sign-in: 24 characters of a token. */
export function newOneTimePassword(): string {
  return newToken().slice(0, 24);
}
