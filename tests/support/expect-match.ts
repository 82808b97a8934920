import { expect } from "bun:test";

/**
 * Fails unless `received` holds everything that is expected of it, as `toMatchObject` does, but compares times, maps, sets,
 * patterns and bytes too: Bun 1.4's `toMatchObject` accepts any of them for any other. `bun-matchers.d.ts` refuses it such values.
 */
export function expectMatch(received: unknown, expected: unknown): void {
  expect(pickExpected(received, expected)).toEqual(expected);
}

const missingPart = Symbol("missing");

/** The part of `received` that `expected` says something of. */
function pickExpected(received: unknown, expected: unknown): unknown {
  if (typeof received !== "object" || received === null) return received;
  if (Array.isArray(received) && Array.isArray(expected)) {
    return received.map((element, index) => pickExpected(element, expected[index]));
  }
  if (!isPlainObject(expected)) return received;
  const parts = Object.entries(expected).map(([key, value]) => [
    key,
    key in received ? pickExpected((received as Record<string, unknown>)[key], value) : missingPart,
  ]);
  return Object.fromEntries(parts);
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
