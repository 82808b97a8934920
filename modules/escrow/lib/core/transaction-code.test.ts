import { expect, test } from "bun:test";
import { newCode } from "./transaction-code.ts";

test("a code is eight unambiguous letters and digits, each equally likely", () => {
  const seen = new Map<string, number>();
  for (let round = 0; round < 2_000; round++) {
    const code = newCode();
    expect(code).toMatch(/^MM-[0-9A-HJKMNP-TV-Z]{8}$/);
    for (const one of code.slice(3)) seen.set(one, (seen.get(one) ?? 0) + 1);
  }
  expect(seen.size).toBe(32);
  // 500 of each on average; a fair generator exceeds these bounds once in a thousand million runs.
  for (const count of seen.values()) expect(Math.abs(count - 500)).toBeLessThan(150);
  expect(newCode("SR")).toMatch(/^SR-/);
});
