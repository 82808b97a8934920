import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { seal, unseal } from "./sealed.ts";

const secret = randomBytes(20);

test("a sealed secret opens for whom it was sealed, and never looks the same twice", () => {
  const [first, second] = [seal(secret, "a:1"), seal(secret, "a:1")];
  expect(unseal(first, "a:1").equals(secret)).toBe(true);
  expect(first.equals(second)).toBe(false);
  expect(first.includes(secret)).toBe(false);
  expect(first).toHaveLength(48);
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
