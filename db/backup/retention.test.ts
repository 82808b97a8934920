import { expect, test } from "bun:test";
import fc from "fast-check";
import { archiveName, expiredArchives } from "./retention.ts";

const day = 86_400_000;
const today = new Date("2027-01-01T00:00:00Z");
const keep = { days: 7, weeks: 4, months: 12 };
const at = (daysAgo: number, hour = 2) => new Date(Date.UTC(2026, 10, 25, hour) - daysAgo * day);

test("of two years of nightly archives, seven days, four weeks and twelve months are kept", () => {
  const names = Array.from({ length: 730 }, (_, i) => archiveName(at(i), i % 2 === 0));
  const gone = new Set(expiredArchives(names, keep, today));
  const kept = names.filter((name) => !gone.has(name)).map((name) => name.slice(7, 15));
  expect(kept).toEqual([
    ...["20261125", "20261124", "20261123", "20261122", "20261121", "20261120", "20261119"],
    // Sundays end the earlier weeks, and last days the months.
    ...["20261115", "20261108", "20261031", "20260930", "20260831", "20260731", "20260630", "20260531"],
    ...["20260430", "20260331", "20260228", "20260131", "20251231"],
  ]);
});

test("of one day the newest archive is kept, and other files are not touched", () => {
  const [morning, evening] = [archiveName(at(0, 3), false), archiveName(at(0, 20), true)];
  expect(
    expiredArchives([morning, evening, "notes.txt", "midman-before-upgrade.tar.zst"], keep, today),
  ).toEqual([morning]);
  expect(expiredArchives([morning], { days: 0, weeks: 0, months: 0 }, today)).toEqual([]);
});

test("archives dated in the future count for no day, and are not removed", () => {
  const later = Array.from({ length: 30 }, (_, i) =>
    archiveName(new Date(today.getTime() + (i + 1) * day), false),
  );
  const [older, newest] = [archiveName(at(1), false), archiveName(at(0), false)];
  expect(expiredArchives([...later, older, newest], { days: 1, weeks: 0, months: 0 }, today)).toEqual([
    older,
  ]);
});

test("the newest archive is always kept, and a second run removes nothing more", () => {
  const moments = fc.array(fc.integer({ min: 0, max: 900 * 24 }), { minLength: 1, maxLength: 60 });
  const figures = fc.record({ days: fc.nat(9), weeks: fc.nat(9), months: fc.nat(9) });
  fc.assert(
    fc.property(moments, figures, (hours, some) => {
      const names = hours.map((hour) =>
        archiveName(new Date(Date.UTC(2024, 0, 1) + hour * 3_600_000), false),
      );
      const gone = expiredArchives(names, some, today);
      const left = names.filter((name) => !gone.includes(name));
      expect(left).toContain([...names].sort().at(-1) ?? "");
      expect(expiredArchives(left, some, today)).toEqual([]);
    }),
  );
});
