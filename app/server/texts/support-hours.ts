import { TZDate } from "@date-fns/tz";

/** When people answer at support, in whole hours of the Mongolian day (specification §2); days by ISO 8601, Monday is 1. */
export const supportHours = { days: [1, 2, 3, 4, 5], opens: 9, closes: 18 } as const;

export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const weekdays: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];
const works = (day: Weekday) => (supportHours.days as readonly number[]).includes(day);

export type Opening = {
  today: Weekday;
  open: boolean;
  /** The day on which it opens next; null while it is open. */
  opensOn: Weekday | null;
  week: Array<{ day: Weekday; works: boolean }>;
};

/** Whether support is open at a moment, and if not, on which day it opens; in Mongolian time, public holidays unknown. */
export function openingAt(at: Date): Opening {
  const there = new TZDate(at, "Asia/Ulaanbaatar");
  const today = weekdays[(there.getDay() + 6) % 7] ?? 1;
  const hour = there.getHours();
  const open = works(today) && hour >= supportHours.opens && hour < supportHours.closes;
  // From today, if it has not opened yet, else from tomorrow, the first day that works.
  const from = hour < supportHours.opens ? today - 1 : today;
  const coming = weekdays.map((_, after) => weekdays[(from + after) % 7] ?? 1);
  return {
    today,
    open,
    opensOn: open ? null : (coming.find(works) ?? null),
    week: weekdays.map((day) => ({ day, works: works(day) })),
  };
}

/** A whole hour as people read it: `9:00`. */
export function oclock(hour: number): string {
  return `${hour}:00`;
}
