import { createHash, randomBytes } from "node:crypto";

/** A new secret of 256 random bits, in letters that suit a cookie and a link. It is handed out once and never stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token. SHA-256 alone is enough: 256 random bits cannot be guessed from their digest. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A password that is to be changed at the next sign-in: 24 signs of a token. */
export function newOneTimePassword(): string {
  return newToken().slice(0, 24);
}
