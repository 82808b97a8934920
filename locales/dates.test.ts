import { describe, expect, test } from "bun:test";
import { findSourcesWith, productSources } from "../tests/support/sources/product-sources.ts";
import type { Source } from "../tests/support/sources/source-analysis.ts";
import {
  formatDay,
  formatLastSeen,
  formatLogMoment,
  formatLongDay,
  formatLongMoment,
  formatMoment,
  formatShortTime,
  formatTime,
  formatWhen,
  lastDayBefore,
} from "./format.ts";

/** With the characters that no line breaks at written as plain ones. */
const plain = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("\u2011", "-");
const inBoth = (write: (language: "en" | "mn") => string) => [plain(write("en")), plain(write("mn"))];

describe("dates and times", () => {
  test("are of Ulaanbaatar", () => {
    expect(formatMoment("2026-11-20T15:59:59Z")).toBe("2026-11-20 23:59");
    expect(formatLogMoment("2026-11-20T16:00:01Z")).toBe("2026-11-21 00:00:01");
    expect(formatDay("2026-11-20T16:00:00Z")).toBe("2026-11-21");
    expect(formatTime("2026-11-20T16:00:00Z")).toBe("00:00");
    expect(inBoth((language) => formatLongDay("2026-11-20T16:00:00Z", language))).toEqual([
      "21 November 2026",
      "2026 оны 11-р сарын 21",
    ]);
    expect(lastDayBefore("2026-11-20T16:00:00Z")).toBe("2026-11-20");
  });

  test("where there is little room give no more than is needed", () => {
    const now = "2026-11-21T06:00:00Z";
    const said = (at: string) => inBoth((language) => formatShortTime(at, now, language));
    expect(said("2026-11-21T06:09:00Z")).toEqual(["14:09", "14:09"]);
    expect(said("2026-11-20T15:59:00Z")).toEqual(["yesterday", "өчигдөр"]);
    expect(said("2026-11-19T15:59:00Z")).toEqual(["19 Nov", "11/19"]);
    expect(said("2025-11-21T06:00:00Z")).toEqual(["2025-11-21", "2025-11-21"]);
  });

  test("in words name every month", () => {
    const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 5)));
    const english = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
    for (const [at, month] of months.entries()) {
      expect(plain(formatLongDay(month, "en"))).toBe(english.format(month));
      expect(plain(formatLongDay(month, "mn"))).toBe(`2026 оны ${at + 1}-р сарын 5`);
    }
  });

  test("in words give a line no place to break inside a date", () => {
    for (const language of ["en", "mn"] as const) {
      expect(formatLongDay("2026-11-24T06:09:00Z", language)).not.toMatch(/[ -]/);
      expect(formatLongMoment("2026-11-24T06:09:00Z", language).match(/[ -]/g)).toEqual([" "]);
      expect(formatWhen("2026-11-24T06:09:00Z", "2026-11-24T07:00:00Z", language)).not.toMatch(/[ -]/);
    }
  });

  test("on record have the date and the time", () => {
    expect(inBoth((language) => formatLongMoment("2026-11-24T06:09:00Z", language))).toEqual([
      "24 November 2026, 14:09",
      "2026 оны 11-р сарын 24, 14:09",
    ]);
  });

  test("when somebody was last seen has the time today and yesterday, and further away the day alone", () => {
    const of = (at: string, language: "en" | "mn" = "en") =>
      formatLastSeen(at, "2026-11-28T07:00:00Z", language).replaceAll("\u00a0", " ");
    expect(of("2026-11-28T06:05:00Z")).toBe("today 14:05");
    expect(of("2026-11-27T15:59:00Z")).toBe("yesterday 23:59");
    expect(of("2026-11-26T15:59:00Z")).toBe("26 November 2026");
    expect(of("2026-11-27T16:00:00Z", "mn")).toBe("өнөөдөр 00:00");
  });

  test("near now are named by the day in Ulaanbaatar, others by the date", () => {
    const now = "2026-11-24T15:59:00Z";
    const said = (at: string) => inBoth((language) => formatWhen(at, now, language));
    expect(said("2026-11-24T06:09:00Z")).toEqual(["today 14:09", "өнөөдөр 14:09"]);
    expect(said("2026-11-24T16:00:00Z")).toEqual(["tomorrow 00:00", "маргааш 00:00"]);
    expect(said("2026-11-23T15:59:59Z")).toEqual(["yesterday 23:59", "өчигдөр 23:59"]);
    expect(said("2026-11-25T16:00:00Z")).toEqual([
      "26 November 2026, 00:00",
      "2026 оны 11-р сарын 26, 00:00",
    ]);
    expect(said("2026-11-22T15:59:00Z")).toEqual([
      "22 November 2026, 23:59",
      "2026 оны 11-р сарын 22, 23:59",
    ]);
  });
});

describe("the sources", () => {
  /** Ways to write a date without the functions of dates.ts. */
  const otherFormats =
    /toLocale(?:Date|Time)String|Intl\.(?:DateTimeFormat|RelativeTimeFormat)|toISOString\(\)\s*\.(?:slice|split|substring)|date-fns\/format|\btoDateString\(|\bgetFullYear\(/;
  const allowedFormats = new Set([
    "db/backup/retention.ts", // days of archives, as values
    "db/startup/instance-record.ts", // a line of the log, in UTC
    "locales/dates.ts",
    "locales/days.ts", // calculates with days, which are values
    "locales/format.ts", // "5 minutes ago"
    "modules/identity/lib/activity/activity-search.ts", // checks a value
  ]);
  /** Where ISO 8601 is shown: the back office, the sandbox, the page about the log; or a day is compared, not shown. */
  const isoPlaces =
    /^app\/(?:routes\/(?:backoffice|sandbox)\/|routes\/public\/proof\.tsx$|islands\/room\/messages\/message(?:s\.tsx|-lines\.ts)$|routes\/transactions\/chat\.tsx$|routes\/rooms\/short-time\.tsx$|routes\/settings\/data-export\.ts$)/;
  const isoFormats = /\bformat(?:Day|Moment|LogMoment)\(/;
  const filesWith = (found: RegExp, isAllowed: (path: string) => boolean, planted: Source[] = []) =>
    findSourcesWith(found, [...productSources(), ...planted]).filter((path) => !isAllowed(path));

  test("write dates only by the functions of dates.ts", () => {
    const isAllowed = (path: string) => allowedFormats.has(path);
    expect(filesWith(otherFormats, isAllowed)).toEqual([]);
    for (const text of [
      "at.toLocaleDateString('en')",
      "at.toISOString().slice(0, 10)",
      'import "date-fns/format"',
    ]) {
      const planted = { path: "app/ui/planted.tsx", text: `const day = ${text};` };
      expect(filesWith(otherFormats, isAllowed, [planted])).toEqual([planted.path]);
    }
  });

  test("show people no ISO 8601 outside tables, logs and files", () => {
    const isAllowed = (path: string) => !path.startsWith("app/") || isoPlaces.test(path);
    expect(filesWith(isoFormats, isAllowed)).toEqual([]);
    const planted = { path: "app/ui/planted.tsx", text: "const day = formatDay(at);" };
    expect(filesWith(isoFormats, isAllowed, [planted])).toEqual([planted.path]);
  });
});
