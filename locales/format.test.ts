import { expect, test } from "bun:test";
import {
  formatCountdown,
  formatRemaining,
  formatShortRemaining,
  formatTimeAgo,
  formatWithin,
  lastFour,
  maskNumber,
} from "./format.ts";

const now = "2026-11-21T12:00:00Z";
const before = (minutes: number) => new Date(Date.parse(now) - minutes * 60_000);

test.each([
  ["5012345678", "5678"],
  ["50123", "23"],
  ["501", "1"],
  ["5", ""],
  ["", ""],
])("of the number %p only %p is shown", (number, shown) => {
  expect(lastFour(number)).toBe(shown);
  expect(maskNumber(number)).toBe(`••••${shown}`);
});

test("elapsed time is given in the largest whole unit, in both languages", () => {
  const said = (minutes: number) => [
    formatTimeAgo(before(minutes), now, "mn"),
    formatTimeAgo(before(minutes), now, "en"),
  ];
  expect(said(0)).toEqual(["1 минутын өмнө", "1 minute ago"]);
  expect(said(59)).toEqual(["59 минутын өмнө", "59 minutes ago"]);
  expect(said(60)).toEqual(["1 цагийн өмнө", "1 hour ago"]);
  expect(said(24 * 60 - 1)).toEqual(["23 цагийн өмнө", "23 hours ago"]);
  expect(said(3 * 24 * 60)).toEqual(["3 өдрийн өмнө", "3 days ago"]);
});

test("after a month it is the date itself, and a future moment counts as a minute ago", () => {
  expect(formatTimeAgo("2025-05-12T00:00:00Z", now, "mn")).toBe(
    "2025\u00a0оны\u00a05\u2011р\u00a0сарын\u00a012",
  );
  expect(formatTimeAgo("2025-05-12T00:00:00Z", now, "en")).toBe("12\u00a0May\u00a02025");
  expect(formatTimeAgo(before(-5), now, "en")).toBe("1 minute ago");
});

test("remaining time is given in hours and whole minutes, never as zero", () => {
  const said = (minutes: number) => [
    formatRemaining(minutes * 60_000, "mn"),
    formatRemaining(minutes * 60_000, "en"),
  ];
  expect(said(119.9)).toEqual(["1 цаг 59 минут", "1 hour 59 minutes"]);
  expect(said(120)).toEqual(["2 цаг", "2 hours"]);
  expect(said(0.2)).toEqual(["1 минут", "1 minute"]);
});

test("a countdown keeps its form from its beginning to its end", () => {
  expect([86_400, 36_000, 3_600, 3_599, 9, 0].map((seconds) => formatCountdown(seconds))).toEqual([
    ...["24:00:00", "10:00:00", "01:00:00", "00:59:59", "00:00:09", "00:00:00"],
  ]);
  expect([600, 599, 0].map((seconds) => formatCountdown(seconds, true))).toEqual(["10:00", "09:59", "00:00"]);
});

test("where there is little room, remaining time is given in its largest unit", () => {
  const said = (minutes: number) =>
    (["mn", "en"] as const).map((language) => formatShortRemaining(minutes * 60_000, language));
  expect(said(0.2)).toEqual(["1 минут", "1 min"]);
  expect(said(59.9)).toEqual(["59 минут", "59 min"]);
  expect(said(119.9)).toEqual(["119 минут", "119 min"]);
  expect(said(179.9)).toEqual(["2 цаг", "2 h"]);
  expect(said(72 * 60)).toEqual(["72 цаг", "72 h"]);
});

test("a limit has its duration in the genitive in Mongolian", () => {
  expect(formatWithin("24 hours", "en")).toBe("within 24 hours");
  expect(formatWithin("24 цаг", "mn")).toBe("24 цагийн дотор");
  expect(formatWithin("5 минут", "mn")).toBe("5 минутын дотор");
  expect(formatWithin("ажлын 2 өдөр", "mn")).toBe("ажлын 2 өдрийн дотор");
  expect(() => formatWithin("удахгүй", "mn")).toThrow("no unit");
});
