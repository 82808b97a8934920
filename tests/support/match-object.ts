import { expect } from "bun:test";

/**
 * `toMatchObject` of our own, for Bun 1.4's takes times, maps, sets and patterns for alike whatever they hold: what is expected of an
 * object is compared as `toEqual` does, and all else of it left alone. To be imported before any test runs.
 */
expect.extend({
  toMatchObject(received: unknown, expected: unknown) {
    const seen = partOf(received, expected);
    return { pass: this.equals(seen, expected), message: () => describeDifference(seen, expected) };
  },
});

const missingPart = Symbol("missing");

/** Of what was received the part that something is expected of. */
function partOf(received: unknown, expected: unknown): unknown {
  if (typeof received !== "object" || received === null) return received;
  if (Array.isArray(received) && Array.isArray(expected)) {
    return received.map((one, at) => partOf(one, expected[at]));
  }
  if (!isPlain(expected)) return received;
  const parts = Object.entries(expected).map(([key, one]) => [
    key,
    key in received ? partOf((received as Record<string, unknown>)[key], one) : missingPart,
  ]);
  return Object.fromEntries(parts);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describeDifference(seen: unknown, expected: unknown): string {
  try {
    expect(seen).toEqual(expected);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return `expected anything but ${Bun.inspect(expected)}`;
}
