import { expect, test } from "bun:test";
import { inWords } from "#format";
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
