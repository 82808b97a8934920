import { sql } from "drizzle-orm";
import { db } from "#db/client";

/** After so long without a new backup, or without one that was restored for a drill, administrators are warned; as deploy/prometheus has it. */
export const BACKUP_LATE_HOURS = 26;
export const DRILL_LATE_DAYS = 8;

const HOUR_MS = 3_600_000;

/** When the newest backup was taken, and when one was last restored for a drill, with the seconds that took; null where there was none. */
export type BackupStanding = {
  made: Date | null;
  isLate: boolean;
  drilled: { at: Date; seconds: number } | null;
  isDrillLate: boolean;
};

/** How the backups stand, by the log. */
export async function backupStanding(at: Date): Promise<BackupStanding> {
  const [[made], [drilled]] = await Promise.all([
    db().execute<{ ms: number }>(sql`
      SELECT (extract(epoch FROM (data ->> 'takenAt')::timestamptz) * 1000)::float8 AS ms FROM audit.entries
      WHERE action = 'backup_made' ORDER BY at DESC, id DESC LIMIT 1`),
    db().execute<{ ms: number; seconds: number }>(sql`
      SELECT (extract(epoch FROM at) * 1000)::float8 AS ms, (data ->> 'seconds')::float8 AS seconds FROM audit.entries
      WHERE action = 'backup_drilled' ORDER BY at DESC, id DESC LIMIT 1`),
  ]);
  const isOlder = (row: { ms: number } | undefined, hours: number) =>
    row === undefined || at.getTime() - row.ms > hours * HOUR_MS;
  return {
    made: made === undefined ? null : new Date(made.ms),
    isLate: isOlder(made, BACKUP_LATE_HOURS),
    drilled: drilled === undefined ? null : { at: new Date(drilled.ms), seconds: drilled.seconds },
    isDrillLate: isOlder(drilled, DRILL_LATE_DAYS * 24),
  };
}
