import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { config, overrideConfig } from "#config";
import "../../tests/support/environment.ts";
import { encryptionKey } from "./instance-secrets.ts";
import { resealRowSecret, sealRowSecret, unsealRowSecret } from "./sealed-secrets.ts";

const secret = randomBytes(20);

test("a sealed secret opens for its owner, and never looks the same twice", () => {
  const [first, second] = [sealRowSecret(secret, "a:1"), sealRowSecret(secret, "a:1")];
  expect(unsealRowSecret(first, "a:1").equals(secret)).toBe(true);
  expect(first.equals(second)).toBe(false);
  expect(first.includes(secret)).toBe(false);
  expect(first).toHaveLength(48);
});

test("a secret sealed by an older key still opens, and is resealed with today's key, which alone opens it", async () => {
  const before = config();
  const sealed = sealRowSecret(secret, "a:1");
  let anew = sealed;
  const renew = (one: Buffer) =>
    resealRowSecret({ sealed: one, whose: "a:1", name: "the secret of a" }, async (fresh) => {
      anew = fresh;
    });
  expect([await renew(sealed), anew]).toEqual([{ done: 0, unopened: [] }, sealed]);
  const older = encryptionKey().toString("hex");
  try {
    overrideConfig({ ENCRYPTION_KEY: randomBytes(32).toString("hex") });
    expect(() => unsealRowSecret(sealed, "a:1")).toThrow();
    overrideConfig({ ENCRYPTION_KEYS_BEFORE: `${randomBytes(32).toString("hex")},${older}` });
    expect(unsealRowSecret(sealed, "a:1").equals(secret)).toBe(true);
    expect(() => unsealRowSecret(sealed, "a:2")).toThrow();
    expect(await renew(sealed)).toEqual({ done: 1, unopened: [] });
    overrideConfig({ ENCRYPTION_KEYS_BEFORE: undefined });
    expect(unsealRowSecret(anew, "a:1").equals(secret)).toBe(true);
    expect(await renew(anew)).toEqual({ done: 0, unopened: [] });
    expect(await renew(sealed)).toEqual({ done: 0, unopened: ["the secret of a"] });
  } finally {
    overrideConfig({ ...before, ENCRYPTION_KEY: undefined });
  }
});

test("it opens for nobody else, and not if any byte was changed", () => {
  const sealed = sealRowSecret(secret, "a:1");
  expect(() => unsealRowSecret(sealed, "a:2")).toThrow();
  for (const at of [0, 11, 12, 31, 32, 47]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unsealRowSecret(changed, "a:1"), `byte ${at}`).toThrow();
  }
  expect(() => unsealRowSecret(sealed.subarray(0, 40), "a:1")).toThrow();
});
