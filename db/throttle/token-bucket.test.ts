import { afterAll, beforeAll, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { createTokenBucket } from "./token-bucket.ts";

beforeAll(() => overrideConfig({ THROTTLE_FACTOR: 1 }));
afterAll(() => overrideConfig({ THROTTLE_FACTOR: 1 }));
const at = (seconds: number) => new Date(1_000_000 + seconds * 1000);

test("a bucket gives all its tokens at first, then one by one as time refills it", () => {
  const pace = createTokenBucket(2, 10);
  expect([pace.take(1, at(0)), pace.take(1, at(0)), pace.take(1, at(0))]).toEqual([0, 0, 5]);
  expect(pace.take(2, at(0))).toBe(0);
  expect(pace.take(1, at(4))).toBe(1);
  expect(pace.take(1, at(5))).toBe(0);
});

test("an expensive request takes several tokens, and one beyond the capacity takes all", () => {
  const pace = createTokenBucket(10, 10);
  expect([pace.take(1, at(0), 8), pace.take(1, at(0), 3), pace.take(1, at(0), 2)]).toEqual([0, 1, 0]);
  expect([pace.take(1, at(9), 50), pace.take(1, at(10), 50), pace.take(1, at(10))]).toEqual([1, 0, 1]);
});

test("THROTTLE_FACTOR multiplies its capacity", () => {
  overrideConfig({ THROTTLE_FACTOR: 100 });
  const pace = createTokenBucket(2, 10);
  for (let i = 0; i < 200; i++) expect(pace.take(1, at(0))).toBe(0);
  expect(pace.take(1, at(0))).toBe(1);
});

test("its capacity is at least one, however small THROTTLE_FACTOR is", () => {
  overrideConfig({ THROTTLE_FACTOR: 0.01 });
  const pace = createTokenBucket(2, 10);
  expect([pace.take(1, at(0)), pace.take(1, at(0)), pace.take(1, at(10))]).toEqual([0, 10, 0]);
});
