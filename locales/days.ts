/** Ulaanbaatar's +08:00, without summer time since 2017; the whole country lists its days by the capital's. */
const dayMs = 24 * 3_600_000;

/** True for a day that exists, as `yyyy-MM-dd`, in years of four digits: others no database is sure to take. */
export function isDay(text: string): boolean {
  const begins = /^[1-9]\d{3}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // The 30th of February is the 2nd of March to some.
  return !Number.isNaN(begins) && new Date(begins).toISOString().startsWith(text);
}

/** A Mongolian day's first moment, and the first one after it. */
export function daySpan(day: string): { from: Date; until: Date } {
  return { from: new Date(startOfDay(day)), until: new Date(startOfDay(day) + dayMs) };
}

/** The day so many days after another; before it, when negative. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`);
}
