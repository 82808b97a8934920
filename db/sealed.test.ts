import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { config, configure } from "#config";
import "../tests/support/environment.ts";
import { resealed, seal, unseal } from "./sealed.ts";
import { encryptionKey } from "./secrets.ts";

const secret = randomBytes(20);

test("a sealed secret opens for whom it was sealed, and never looks the same twice", () => {
  const [first, second] = [seal(secret, "a:1"), seal(secret, "a:1")];
  expect(unseal(first, "a:1").equals(secret)).toBe(true);
  expect(first.equals(second)).toBe(false);
  expect(first.includes(secret)).toBe(false);
  expect(first).toHaveLength(48);
});

test("what an older key of ours sealed still opens, and is sealed anew by the key of today, which alone opens that", () => {
  const before = config();
  const sealed = seal(secret, "a:1");
  expect(resealed(sealed, "a:1")).toBeUndefined();
  const older = encryptionKey().toString("hex");
  try {
    configure({ ENCRYPTION_KEY: randomBytes(32).toString("hex") });
    expect(() => unseal(sealed, "a:1")).toThrow();
    configure({ ENCRYPTION_KEYS_BEFORE: `${randomBytes(32).toString("hex")},${older}` });
    expect(unseal(sealed, "a:1").equals(secret)).toBe(true);
    expect(() => unseal(sealed, "a:2")).toThrow();
    const anew = resealed(sealed, "a:1") ?? Buffer.alloc(0);
    configure({ ENCRYPTION_KEYS_BEFORE: undefined });
    expect(unseal(anew, "a:1").equals(secret)).toBe(true);
    expect(resealed(anew, "a:1")).toBeUndefined();
    expect(() => resealed(sealed, "a:1")).toThrow();
  } finally {
    configure({ ...before, ENCRYPTION_KEY: undefined });
  }
});

test("it opens for nobody else, and not when any byte of it was changed", () => {
  const sealed = seal(secret, "a:1");
  expect(() => unseal(sealed, "a:2")).toThrow();
  for (const at of [0, 11, 12, 31, 32, 47]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(changed, "a:1"), `byte ${at}`).toThrow();
  }
  expect(() => unseal(sealed.subarray(0, 40), "a:1")).toThrow();
});
