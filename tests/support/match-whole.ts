import { expect } from "bun:test";

/**
 * Lets `toMatchObject` compare times, maps, sets and patterns, which Bun 1.4 takes for alike whatever they hold: each that is
 * expected becomes a matcher of its own. To be imported before any test runs.
 */
expect.extend({
  toBeAlike: (received: unknown, expected: unknown) => ({
    pass: Bun.deepEquals(received, expected, true),
    message: () => `expected ${Bun.inspect(expected)}, received ${Bun.inspect(received)}`,
  }),
});

type Alike = { toBeAlike(expected: object): unknown };
type Matchers = { toMatchObject(expected: object): unknown };

function compared(expected: unknown): unknown {
  if (typeof expected !== "object" || expected === null) return expected;
  if ([Date, Map, Set, RegExp].some((kind) => expected instanceof kind)) {
    return (expect as unknown as Alike).toBeAlike(expected);
  }
  if (Array.isArray(expected)) return expected.map(compared);
  if (!isPlain(expected)) return expected;
  return Object.fromEntries(Object.entries(expected).map(([key, one]) => [key, compared(one)]));
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const matchers: Matchers = Object.getPrototypeOf(expect(0));
const own = matchers.toMatchObject;
if (!("compares" in own)) {
  matchers.toMatchObject = Object.assign(
    function (this: Matchers, expected: object) {
      return own.call(this, compared(expected) as object);
    },
    { compares: "whole" },
  );
}
