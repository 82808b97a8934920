/** Length of a day in ms. Ulaanbaatar is at +08:00, without summer time since 2017; the whole country uses the capital's dates. */
const dayMs = 24 * 3_600_000;

/** True for an existing date, as `yyyy-MM-dd` with a year of four digits; not every database accepts other years. */
export function isDay(text: string): boolean {
  const begins = /^[1-9]\d{3}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Some engines read 30 February as 2 March.
  return !Number.isNaN(begins) && new Date(begins).toISOString().startsWith(text);
}

/** The first moment of a Mongolian day, and the first one after it. */
export function daySpan(day: string): { from: Date; until: Date } {
  return { from: new Date(startOfDay(day)), until: new Date(startOfDay(day) + dayMs) };
}

/** The date `days` days after another; before it if negative. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`);
}
