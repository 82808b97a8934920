const DAY_MS = 24 * 3_600_000;
/** Ulaanbaatar's +08:00, without summer time since 2017: the provider's day and ours. */
const ZONE_MS = 8 * 3_600_000;

/** The Mongolian day of a moment, `yyyy-MM-dd`. */
export function dayOf(at: Date): string {
  return new Date(at.getTime() + ZONE_MS).toISOString().slice(0, 10);
}

/** So many days after a day (before it, when negative). */
export function daysAfter(day: string, days: number): string {
  return dayOf(new Date(beginOf(day) + days * DAY_MS));
}

/** A day's first moment and the first one after it. */
export function spanOf(day: string): { from: Date; until: Date } {
  return { from: new Date(beginOf(day)), until: new Date(beginOf(day) + DAY_MS) };
}

function beginOf(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`);
}
