import { TZDate } from "@date-fns/tz";

/** Support's opening hours, in whole hours of the Mongolian day; days by ISO 8601, Monday is 1. */
export const supportHours = { days: [1, 2, 3, 4, 5], opens: 9, closes: 18 } as const;

type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const allWeekdays: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];
const isWorkingDay = (day: Weekday) => (supportHours.days as readonly number[]).includes(day);

export type SupportOpening = {
  today: Weekday;
  open: boolean;
  /** The day on which it opens next; null while it is open. */
  opensOn: Weekday | null;
  week: Array<{ day: Weekday; works: boolean }>;
};

/** Whether support is open at a time, and if not, on which day it opens next; in Mongolian time, without public holidays. */
export function supportOpeningAt(at: Date): SupportOpening {
  const there = new TZDate(at, "Asia/Ulaanbaatar");
  const today = allWeekdays[(there.getDay() + 6) % 7] ?? 1;
  const hour = there.getHours();
  const open = isWorkingDay(today) && hour >= supportHours.opens && hour < supportHours.closes;
  // The next working day, starting with today if support has not opened yet, otherwise with tomorrow.
  const from = hour < supportHours.opens ? today - 1 : today;
  const coming = allWeekdays.map((_, after) => allWeekdays[(from + after) % 7] ?? 1);
  return {
    today,
    open,
    opensOn: open ? null : (coming.find(isWorkingDay) ?? null),
    week: allWeekdays.map((day) => ({ day, works: isWorkingDay(day) })),
  };
}

/** A whole hour in people's notation: `9:00`. */
export function formatHour(hour: number): string {
  return `${hour}:00`;
}
