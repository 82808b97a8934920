import { expect, test } from "bun:test";
import { supportOpeningAt } from "./support-hours.ts";

/** A time in Ulaanbaatar, UTC+8; 2026-11-16 is a Monday. */
const there = (day: string, time: string) => supportOpeningAt(new Date(`${day}T${time}+08:00`));

test("support is open from nine until six on the five days, to the second", () => {
  for (const day of ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"]) {
    const open = ["08:59:59", "09:00:00", "17:59:59", "18:00:00"].map((time) => there(day, time).open);
    expect([day, open]).toEqual([day, [false, true, true, false]]);
  }
  for (const day of ["2026-11-21", "2026-11-22"]) expect(there(day, "12:00:00").open).toBe(false);
});

test("when closed, it names the day on which it opens: today before nine, else the next working day", () => {
  expect(there("2026-11-16", "00:00:00")).toMatchObject({ today: 1, opensOn: 1 });
  expect(there("2026-11-16", "18:00:00")).toMatchObject({ today: 1, opensOn: 2 });
  expect(there("2026-11-20", "08:00:00")).toMatchObject({ today: 5, opensOn: 5 });
  expect(there("2026-11-20", "23:59:59")).toMatchObject({ today: 5, opensOn: 1 });
  expect(there("2026-11-21", "03:00:00")).toMatchObject({ today: 6, opensOn: 1 });
  expect(there("2026-11-22", "23:00:00")).toMatchObject({ today: 7, opensOn: 1 });
  expect(there("2026-11-17", "12:00:00")).toMatchObject({ today: 2, open: true, opensOn: null });
});

test("the day is the Mongolian one, wherever the server is", () => {
  expect(supportOpeningAt(new Date("2026-11-15T16:00:00Z"))).toMatchObject({
    today: 1,
    open: false,
    opensOn: 1,
  });
  expect(supportOpeningAt(new Date("2026-11-16T00:59:59Z"))).toMatchObject({ today: 1, open: false });
  expect(supportOpeningAt(new Date("2026-11-16T01:00:00Z"))).toMatchObject({ today: 1, open: true });
});

test("the week has seven days, of which five work", () => {
  const { week } = there("2026-11-16", "12:00:00");
  expect(week.map(({ day }) => day)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(week.filter(({ works }) => works).map(({ day }) => day)).toEqual([1, 2, 3, 4, 5]);
});
