/** How many days, weeks and months keep their newest archive. */
export type RetentionRule = { days: number; weeks: number; months: number };

/** What `bun run backup` calls an archive of a moment. */
export function archiveName(at: Date, isEncrypted: boolean): string {
  const moment = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  return `midman-${moment}Z.tar.zst${isEncrypted ? ".age" : ""}`;
}

const archiveNamePattern = /^midman-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.tar\.zst(?:\.age)?$/;

/**
 * The archives that may go, of these names: all but the newest of each of the last days, ISO weeks and months in which there is one. Days end at
 * midnight UTC. What is named otherwise, or as of later than `at` (a clock that was wrong), is nobody's to remove and counts for nothing; the
 * newest archive always stays.
 */
export function expiredArchives(names: readonly string[], keep: RetentionRule, at: Date): string[] {
  const newestFirst = sortNewestFirst(names).filter((name) => momentOf(name) <= at.getTime());
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [spans, spanOf] of [
    [keep.days, dayOf],
    [keep.weeks, weekOf],
    [keep.months, monthOf],
  ] as const) {
    const seen = new Set<string>();
    for (const name of newestFirst) {
      const span = spanOf(new Date(momentOf(name)));
      if (seen.has(span) || seen.size === spans) continue;
      seen.add(span);
      kept.add(name);
    }
  }
  return newestFirst.filter((name) => !kept.has(name));
}

/** The newest archive of these names; undefined where there is none. */
export function newestArchive(names: readonly string[]): string | undefined {
  return sortNewestFirst(names).at(0);
}

function sortNewestFirst(names: readonly string[]): string[] {
  return names.filter((name) => archiveNamePattern.test(name)).sort((a, b) => momentOf(b) - momentOf(a));
}

function momentOf(name: string): number {
  const [, year, month, day, hour, minute, second] = (archiveNamePattern.exec(name) ?? []).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const monthOf = (at: Date) => at.toISOString().slice(0, 7);

/** The Monday of its week. */
function weekOf(at: Date): string {
  const sinceMonday = (at.getUTCDay() + 6) % 7;
  return dayOf(new Date(at.getTime() - sinceMonday * 86_400_000));
}
