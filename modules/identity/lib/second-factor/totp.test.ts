import { describe, expect, test } from "bun:test";
import { Secret } from "otpauth";
import { keyUri, newSecret, openSecret, sealSecret, stepOf } from "./totp.ts";

/** RFC 6238, appendix B: the secret in ASCII, times in seconds, and the last six digits of the SHA-1 column. */
const rfc = new Secret({ buffer: new TextEncoder().encode("12345678901234567890").buffer });
const vectors: Array<[number, string]> = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
];

const moment = (seconds: number) => new Date(seconds * 1000);

describe("an authenticator code", () => {
  test("is the one of RFC 6238, and counts one step of 30 seconds before and after", () => {
    for (const [seconds, code] of vectors) {
      const step = Math.floor(seconds / 30);
      expect(stepOf(rfc, code, moment(seconds))).toBe(step);
      expect(stepOf(rfc, code, moment(seconds + 30))).toBe(step);
      expect(stepOf(rfc, code, moment(seconds - 30))).toBe(step);
      expect(stepOf(rfc, code, moment(seconds + 60))).toBeUndefined();
      expect(stepOf(rfc, code, moment(seconds - 60))).toBeUndefined();
    }
  });

  test("belongs to one secret only", () => {
    const answers = Array.from({ length: 20 }, () => stepOf(newSecret(), "287082", moment(59)));
    // The chance that two wrong secrets in twenty match is one in billions.
    expect(answers.filter((step) => step !== undefined).length).toBeLessThan(2);
  });
});

test("a secret has 160 bits, and is read back unchanged", () => {
  const secret = newSecret();
  expect(secret.bytes).toHaveLength(20);
  expect(openSecret(sealSecret(secret, 7), 7).base32).toBe(secret.base32);
  expect(() => openSecret(sealSecret(secret, 7), 8)).toThrow();
});

test("the address for the app has Midman, the person and the parameters", () => {
  const uri = new URL(keyUri(rfc, "bat.bold"));
  expect(uri.protocol).toBe("otpauth:");
  expect(decodeURIComponent(uri.href)).toContain("totp/Midman:bat.bold?");
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    issuer: "Midman",
    secret: rfc.base32,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
