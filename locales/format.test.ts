import { expect, test } from "bun:test";
import { duration, inWords, longDay } from "#format";
import { text } from "#locales";

const waits: Array<[number, string, string]> = [
  [0, "in 1 second", "1 секундын дараа"],
  [1, "in 1 second", "1 секундын дараа"],
  [45, "in 45 seconds", "45 секундын дараа"],
  [60, "in 1 minute", "1 минутын дараа"],
  [61, "in 2 minutes", "2 минутын дараа"],
  [720, "in 12 minutes", "12 минутын дараа"],
  [3541, "in 1 hour", "1 цагийн дараа"],
  [28_800, "in 8 hours", "8 цагийн дараа"],
];

for (const [seconds, en, mn] of waits) {
  test(`a wait of ${seconds} seconds is said in words`, () => {
    expect(inWords(seconds, "en")).toBe(en);
    expect(inWords(seconds, "mn")).toBe(mn);
    expect(text("en", "errors.THROTTLED", { seconds })).toBe(`Too many attempts. Try again ${en}.`);
    expect(text("mn", "errors.THROTTLED", { seconds: String(seconds) })).toContain(mn);
  });
}

const spans: Array<[number, string, string]> = [
  [1, "1 minute", "1 минут"],
  [90, "90 minutes", "90 минут"],
  [60, "1 hour", "1 цаг"],
  [48 * 60, "48 hours", "48 цаг"],
  [50 * 60, "50 hours", "50 цаг"],
  [30 * 24 * 60, "30 days", "30 хоног"],
];

for (const [minutes, en, mn] of spans) {
  test(`a span of ${minutes} minutes is said in its largest whole unit`, () => {
    expect(duration(minutes * 60_000, "en")).toBe(en);
    expect(duration(minutes * 60_000, "mn")).toBe(mn);
  });
}

test("a day is written out as it is in Mongolia at that moment", () => {
  expect(longDay("2025-05-11T16:00:00Z", "en")).toBe("12 May 2025");
  expect(longDay("2025-05-11T15:59:00Z", "mn")).toBe("2025 оны тавдугаар сарын 11");
});
