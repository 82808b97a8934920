import { expect, test } from "bun:test";
import { readProviderTime } from "./provider-time.ts";

const noon = "2026-11-21T04:00:00.000Z";

test.each([
  ["2026-11-21T04:00:00.000Z", noon],
  ["2026-11-21t04:00:00z", noon],
  ["2026-11-21T12:00", noon],
  [" 2026-11-21 12:00:00 ", noon],
  ["2026-11-21 12:00:00.5", "2026-11-21T04:00:00.500Z"],
  ["2026-11-21 12:00:00.123456789", "2026-11-21T04:00:00.123Z"],
  ["2026-11-21T12:00:00+08:00", noon],
  ["2026-11-21T12:00:00+0800", noon],
  ["2026-11-20T23:30:00-0430", noon],
  ["2026-11-20T23:30-04:30", noon],
])("%p is %s", (text, iso) => {
  expect(readProviderTime(text)?.toISOString()).toBe(iso);
});

test.each([
  null,
  undefined,
  "",
  "yesterday",
  "2026-11-21",
  "20261-11-21T12:00",
  "2026-11-21T12:00:00.1234567890Z",
  "2026-11-21T12:00:00+8",
  "2026-11-21T12:00:00 and more",
  "on 2026-11-21T12:00:00",
  "2026-13-45T00:00:00",
  "2026-11-21T25:00",
])("%p is not a time", (text) => {
  expect(readProviderTime(text)).toBeNull();
});
