import { Secret, TOTP } from "otpauth";
import {
  type ResealOutcome,
  resealRowSecret,
  sealRowSecret,
  unsealRowSecret,
} from "#db/secrets/sealed-secrets";

const stepSeconds = 30;
/** Steps of 30 seconds before and after ours that count: clocks differ, and people type slowly (RFC 6238 §5.2). */
const stepWindow = 1;

/** A new secret of 160 random bits, as long as the digest that uses it (RFC 4226 §4). */
export function newSecret(): Secret {
  return new Secret({ size: 20 });
}

/** The secret as it is stored, encrypted for its owner. */
export function sealSecret(secret: Secret, userId: number): Buffer {
  return sealRowSecret(secret.bytes, sealContextOf(userId));
}

/** The stored secret of that owner. */
export function openSecret(sealed: Buffer, userId: number): Secret {
  return new Secret({ buffer: new Uint8Array(unsealRowSecret(sealed, sealContextOf(userId))).buffer });
}

/** Has `write` keep the stored secret as the key of today seals it; `name` is told where no key at hand opens it. */
export function resealSecret(
  { sealed, userId, name }: { sealed: Buffer; userId: number; name: string },
  write: (sealed: Buffer) => Promise<unknown>,
): Promise<ResealOutcome> {
  return resealRowSecret({ sealed, whose: sealContextOf(userId), name }, write);
}

/** What an authenticator app reads out of a QR code: `otpauth://totp/Midman:name?…`. */
export function keyUri(secret: Secret, username: string): string {
  return createTotp(secret, username).toString();
}

/** The 30-second step whose code this is, among ours and its neighbours; undefined when it is of none. */
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
