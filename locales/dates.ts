import { daysAfter } from "./days.ts";
import type { Language } from "./index.ts";

/*
 * Every date and time that Midman shows, in Ulaanbaatar time, one function per kind. Words for people, ISO 8601 for tables, logs and files.
 * Names of months are kept here, since browsers ship different Mongolian locales. Words of one date are joined by characters that no line
 * breaks at.
 */

const mongolianTimeZone = "Asia/Ulaanbaatar";
// The Swedish format is `2026-11-21 18:05:09`: date and time in one call, the same in every runtime.
const isoFormat = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: mongolianTimeZone,
});
const englishMonths = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];
const nearDayWords = {
  en: { yesterday: "yesterday", today: "today", tomorrow: "tomorrow" },
  mn: { yesterday: "өчигдөр", today: "өнөөдөр", tomorrow: "маргааш" },
} as const;
const noBreakSpace = "\u00a0";
const noBreakHyphen = "\u2011";

/** A time to the second, as the log shows it: `2026-11-24 14:09:05`. */
export function formatLogMoment(at: Date | string): string {
  return isoFormat.format(new Date(at));
}

/** A time in tables and files: `2026-11-24 14:09`. */
export function formatMoment(at: Date | string): string {
  return formatLogMoment(at).slice(0, 16);
}

/** A date in tables and files, and as a value: `2026-11-24`. */
export function formatDay(at: Date | string): string {
  return formatLogMoment(at).slice(0, 10);
}

/** The time of day: `14:09`. */
export function formatTime(at: Date | string): string {
  return formatLogMoment(at).slice(11, 16);
}

/** A date in words: `2026 оны 11-р сарын 24`, `24 November 2026`. */
export function formatLongDay(at: Date | string, language: Language): string {
  return dayInWords(formatDay(at), language);
}

/** A date, given as `yyyy-MM-dd`, in words. */
export function dayInWords(day: string, language: Language): string {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split("-").map(Number);
  const words =
    language === "mn"
      ? [year, "оны", `${month}${noBreakHyphen}р`, "сарын", dayOfMonth]
      : [dayOfMonth, englishMonths[month - 1], year];
  return words.join(noBreakSpace);
}

/** A date in words with its time, for what is on record: `24 November 2026, 14:09`. */
export function formatLongMoment(at: Date | string, language: Language): string {
  return `${formatLongDay(at, language)}, ${formatTime(at)}`;
}

/** When something is due or was: `today 14:09`, `маргааш 14:09`; on a day further away the date with its time. */
export function formatWhen(at: Date | string, now: Date | string, language: Language): string {
  const near = nearDay(formatDay(at), formatDay(now));
  return near === undefined
    ? formatLongMoment(at, language)
    : `${nearDayWords[language][near]}${noBreakSpace}${formatTime(at)}`;
}

/** When somebody was last somewhere: `today 14:09`, `өчигдөр 14:09`; on a day further away the date alone. */
export function formatLastSeen(at: Date | string, now: Date | string, language: Language): string {
  const isNear = nearDay(formatDay(at), formatDay(now)) !== undefined;
  return isNear ? formatWhen(at, now, language) : formatLongDay(at, language);
}

/** When something happened, where there is little room: `14:09` if today, `өчигдөр`, `24 Nov`, `11/24`; in another year `2025-11-24`. */
export function formatShortTime(at: Date | string, now: Date | string, language: Language): string {
  const [day, today] = [formatDay(at), formatDay(now)];
  if (day === today) return formatTime(at);
  if (nearDay(day, today) === "yesterday") return nearDayWords[language].yesterday;
  const [year = "", month = "", dayOfMonth = ""] = day.split("-");
  if (year !== today.slice(0, 4)) return day;
  if (language === "mn") return `${Number(month)}/${Number(dayOfMonth)}`;
  return `${Number(dayOfMonth)}${noBreakSpace}${englishMonths[Number(month) - 1]?.slice(0, 3)}`;
}

/** A day, `yyyy-MM-dd`, beside today's: `today` or the like, undefined if it is further away. */
export function nearDay(day: string, today: string): "yesterday" | "today" | "tomorrow" | undefined {
  if (day === today) return "today";
  if (day === daysAfter(today, 1)) return "tomorrow";
  return day === daysAfter(today, -1) ? "yesterday" : undefined;
}

/** The last day in Ulaanbaatar before an exclusive end, `yyyy-MM-dd`: an end at midnight gives the day before. */
export function lastDayBefore(end: Date | string): string {
  return formatDay(new Date(new Date(end).getTime() - 1));
}
