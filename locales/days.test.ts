import { expect, test } from "bun:test";
import { daySpan, daysAfter, formatDay, isDay } from "./format.ts";

test("a day is Mongolian, from its first moment up to the next one's", () => {
  expect(formatDay(new Date("2026-03-01T15:59:59.999Z"))).toBe("2026-03-01");
  expect(formatDay(new Date("2026-03-01T16:00:00Z"))).toBe("2026-03-02");
  expect(daySpan("2026-03-02")).toEqual({
    from: new Date("2026-03-01T16:00:00Z"),
    until: new Date("2026-03-02T16:00:00Z"),
  });
  expect(daysAfter("2026-02-28", 1)).toBe("2026-03-01");
  expect(daysAfter("2026-03-01", -1)).toBe("2026-02-28");
});

test("only days that exist, and that every database accepts, are days", () => {
  for (const text of ["2026-02-28", "2024-02-29", "1000-01-01", "9999-12-31"]) expect(isDay(text)).toBe(true);
  for (const text of [
    "2026-02-29",
    "2026-13-01",
    "2026-1-1",
    "0000-01-01",
    "0999-12-31",
    "",
    " 2026-01-01",
  ]) {
    expect(isDay(text)).toBe(false);
  }
});
