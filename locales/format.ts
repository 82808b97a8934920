import { formatLongDay } from "./dates.ts";
import type { Language } from "./index.ts";

export * from "./dates.ts";
export * from "./days.ts";
export * from "./packed-message.ts";
export * from "./visible-text.ts";
export type { Language };

/** An amount in tugrik: `1,234,567 ₮`. `Intl` in mn-MN would print decimals and put the sign first. */
export function formatMoney(amount: number): string {
  return `${amount.toLocaleString("en-US", { maximumFractionDigits: 0 })} ₮`;
}

/** How many characters of an account or phone number are shown to a reader who must not see all of it. */
export const shownDigits = 4;

/** The last four characters of an account or phone number, but never more than half of it. */
export function lastFour(number: string): string {
  const shown = Math.min(shownDigits, Math.floor(number.length / 2));
  return number.slice(number.length - shown);
}

/** An account or phone number of which a reader may see the last four characters: `••••5678`. */
export const maskNumber = (number: string) => `••••${lastFour(number)}`;

const unitWords = {
  mn: { minute: "минут", hour: "цаг", day: "хоног", year: "жил" },
  en: { minute: "minute", hour: "hour", day: "day", year: "year" },
} as const;

/** A number of minutes, hours, days or years in words: `24 цаг`, `24 hours`, `1 hour`. */
export function formatSpan(count: number, unit: keyof (typeof unitWords)["en"], language: Language): string {
  const plural = language === "en" && count !== 1 ? "s" : "";
  return `${count.toLocaleString("en-US")} ${unitWords[language][unit]}${plural}`;
}

/** The genitive of the last word of a Mongolian duration, which «дотор» needs. */
const genitives: Record<string, string> = {
  минут: "минутын",
  цаг: "цагийн",
  хоног: "хоногийн",
  өдөр: "өдрийн",
  жил: "жилийн",
};

/** A duration in words as a limit: `within 24 hours`, `24 цагийн дотор`. Throws for Mongolian words without a known genitive. */
export function formatWithin(duration: string, language: Language): string {
  if (language === "en") return `within ${duration}`;
  const [, before = "", unit = ""] = /^(.* )(\S+)$/.exec(duration) ?? [];
  const genitive = genitives[unit];
  if (genitive === undefined) throw new Error(`"${duration}" ends with no unit of time`);
  return `${before}${genitive} дотор`;
}

/** A duration in ms, in the largest unit that keeps it whole; up to 48 hours are given in hours. */
export function formatDuration(ms: number, language: Language): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes % 60 !== 0) return formatSpan(minutes, "minute", language);
  const hours = minutes / 60;
  return hours > 48 && hours % 24 === 0
    ? formatSpan(hours / 24, "day", language)
    : formatSpan(hours, "hour", language);
}

/** A remaining time in ms, in hours and whole minutes: `1 цаг 59 минут`, `2 hours 5 minutes`; at least one minute. */
export function formatRemaining(ms: number, language: Language): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [
    hours > 0 && formatSpan(hours, "hour", language),
    rest > 0 && formatSpan(rest, "minute", language),
  ];
  return parts.filter(Boolean).join(" ");
}

/**
 * A time that is counted down, always in the same digits, so that nothing beside it moves: `01:05:09`, or if it is `short`, and never as long
 * as an hour, `05:09`.
 */
export function formatCountdown(seconds: number, short = false): string {
  const minutes = Math.floor(seconds / 60);
  const parts = short ? [minutes, seconds % 60] : [Math.floor(minutes / 60), minutes % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/**
 * A remaining time where there is little room, rounded down: `11 h`, `11 цаг`, and in minutes
 * below two hours, of which an hour would hide up to a half: `119 min`. At least one minute.
 */
export function formatShortRemaining(ms: number, language: Language): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  const { hour, minute } = shortUnits[language];
  return minutes < 120
    ? `${minutes} ${minute}`
    : `${Math.floor(minutes / 60).toLocaleString("en-US")} ${hour}`;
}

const shortUnits = { en: { hour: "h", minute: "min" }, mn: { hour: "цаг", minute: "минут" } } as const;

/** A wait in words: "in 45 seconds", "12 минутын дараа". Rounded up to whole seconds, minutes or hours. */
export function formatWait(seconds: number, language: Language): string {
  const words = new Intl.RelativeTimeFormat(language);
  const minutes = Math.ceil(seconds / 60);
  if (seconds < 60) return words.format(Math.max(1, Math.ceil(seconds)), "second");
  return minutes < 60 ? words.format(minutes, "minute") : words.format(Math.ceil(minutes / 60), "hour");
}

/** How long ago a time was: `5 минутын өмнө`, `3 days ago`; after a month the date itself. */
export function formatTimeAgo(at: Date | string, now: Date | string, language: Language): string {
  const minutes = Math.max(0, Math.floor((new Date(now).getTime() - new Date(at).getTime()) / 60_000));
  const relative = new Intl.RelativeTimeFormat(language === "mn" ? "mn" : "en-GB", { numeric: "always" });
  if (minutes < 60) return relative.format(-Math.max(1, minutes), "minute");
  if (minutes < 24 * 60) return relative.format(-Math.floor(minutes / 60), "hour");
  const days = Math.floor(minutes / 60 / 24);
  return days <= 30 ? relative.format(-days, "day") : formatLongDay(at, language);
}
