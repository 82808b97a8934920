import { afterEach, expect, test } from "bun:test";
import { config, overrideConfig } from "#config";
import { useDatabase } from "../../tests/support/database/test-database.ts";
import { resetThrottle, sweepThrottles, takeThrottledAttempt } from "./throttle-attempts.ts";

useDatabase();

const start = new Date("2026-01-01T00:00:00Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const limit = { max: 3, seconds: 60 };
const factor = config().THROTTLE_FACTOR;
afterEach(() => overrideConfig({ THROTTLE_FACTOR: factor }));

test("attempts up to the limit pass, and the next is told when to return", async () => {
  for (let attempt = 0; attempt < 3; attempt++)
    expect(await takeThrottledAttempt("a", limit, start)).toEqual({ ok: true });
  expect(await takeThrottledAttempt("a", limit, start)).toEqual({
    ok: false,
    code: "THROTTLED",
    retryAfterSeconds: 20,
  });
  expect(await takeThrottledAttempt("other", limit, start)).toEqual({ ok: true });
});

test("attempts refill evenly, a refusal costs none, and they never exceed the limit", async () => {
  for (let attempt = 0; attempt < 3; attempt++) await takeThrottledAttempt("b", limit, start);
  expect((await takeThrottledAttempt("b", limit, after(19))).ok).toBe(false);
  expect((await takeThrottledAttempt("b", limit, after(20))).ok).toBe(true);
  expect((await takeThrottledAttempt("b", limit, after(20))).ok).toBe(false);
  const later = after(3600);
  for (let attempt = 0; attempt < 3; attempt++)
    expect((await takeThrottledAttempt("b", limit, later)).ok).toBe(true);
  expect((await takeThrottledAttempt("b", limit, later)).ok).toBe(false);
});

test("of fifty parallel attempts exactly as many pass as allowed", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => takeThrottledAttempt("parallel", limit, start)),
  );
  expect(answers.filter((answer) => answer.ok).length).toBe(3);
});

test("a clock that is behind neither refuses for long nor grants extra attempts", async () => {
  for (let attempt = 0; attempt < 3; attempt++) await takeThrottledAttempt("skew", limit, after(60));
  expect((await takeThrottledAttempt("skew", limit, start)).ok).toBe(false);
  expect((await takeThrottledAttempt("skew", limit, after(80))).ok).toBe(true);
});

test("the factor multiplies the limit", async () => {
  overrideConfig({ THROTTLE_FACTOR: 2 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => takeThrottledAttempt("factor", limit, start)),
  );
  expect(answers.filter((answer) => answer.ok).length).toBe(6);
});

test("a key can be reset, and keys with nothing used are deleted", async () => {
  for (let attempt = 0; attempt < 4; attempt++) await takeThrottledAttempt("c", limit, start);
  await resetThrottle("c");
  expect((await takeThrottledAttempt("c", limit, start)).ok).toBe(true);
  expect(await sweepThrottles(after(7200))).toBeGreaterThan(0);
  expect(await sweepThrottles(after(7200))).toBe(0);
});
