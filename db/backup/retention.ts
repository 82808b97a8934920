/** For how many days, weeks and months the newest archive of each is kept. */
export type RetentionRule = { days: number; weeks: number; months: number };

/** The name that `bun run backup` gives an archive made at this time. */
export function archiveName(at: Date, isEncrypted: boolean): string {
  const moment = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  return `midman-${moment}Z.tar.zst${isEncrypted ? ".age" : ""}`;
}

const archiveNamePattern = /^midman-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.tar\.zst(?:\.age)?$/;

/**
 * The names of the archives that may be deleted: all but the newest of each of the last days, ISO weeks and months that have one. Days end
 * at midnight UTC. Files with other names, and archives dated after `at` (the clock was wrong), are ignored: they are neither deleted nor
 * counted. The newest archive is always kept.
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

/** The newest archive among these names, or undefined. */
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

/** The Monday of the date's week. */
function weekOf(at: Date): string {
  const sinceMonday = (at.getUTCDay() + 6) % 7;
  return dayOf(new Date(at.getTime() - sinceMonday * 86_400_000));
}
