import { Secret, TOTP } from "otpauth";
import {
  type ResealOutcome,
  resealRowSecret,
  sealRowSecret,
  unsealRowSecret,
} from "#db/secrets/sealed-secrets";

const stepSeconds = 30;
/** Accepted steps of 30 seconds before and after the current one: clocks differ, and people type slowly (RFC 6238 §5.2). */
const stepWindow = 1;

/** A new secret of 160 random bits, as long as the digest that uses it (RFC 4226 §4). */
export function newSecret(): Secret {
  return new Secret({ size: 20 });
}

/** The secret encrypted for its owner, as stored. */
export function sealSecret(secret: Secret, userId: number): Buffer {
  return sealRowSecret(secret.bytes, sealContextOf(userId));
}

/** Decrypts the stored secret of this owner. */
export function openSecret(sealed: Buffer, userId: number): Secret {
  return new Secret({ buffer: new Uint8Array(unsealRowSecret(sealed, sealContextOf(userId))).buffer });
}

/**
 * Passes the secret to `write`, encrypted with the current key, if an older key encrypted it; reports `name` if no available key opens it.
 */
export function resealSecret(
  { sealed, userId, name }: { sealed: Buffer; userId: number; name: string },
  write: (sealed: Buffer) => Promise<unknown>,
): Promise<ResealOutcome> {
  return resealRowSecret({ sealed, whose: sealContextOf(userId), name }, write);
}

/** The URI in an authenticator app's QR code: `otpauth://totp/Midman:name?…`. */
export function keyUri(secret: Secret, username: string): string {
  return createTotp(secret, username).toString();
}

/** The 30-second step of this code, among the current one and its neighbours; undefined if it is wrong. */
export function stepOf(secret: Secret, code: string, at: Date): number | undefined {
  const delta = createTotp(secret).validate({ token: code, timestamp: at.getTime(), window: stepWindow });
  return delta === null ? undefined : Math.floor(at.getTime() / 1000 / stepSeconds) + delta;
}

function createTotp(secret: Secret, label = ""): TOTP {
  return new TOTP({ issuer: "Midman", label, secret, algorithm: "SHA1", digits: 6, period: stepSeconds });
}

function sealContextOf(userId: number): string {
  return `identity.second_factor:${userId}`;
}
