import { sql } from "drizzle-orm";
import { db } from "#db/client";

/** Age in hours from which administrators are warned of the newest backup; the same as in deploy/prometheus. */
export const BACKUP_LATE_HOURS = 26;
/** Age in days from which administrators are warned of the newest restore drill; the same as in deploy/prometheus. */
export const DRILL_LATE_DAYS = 8;

const HOUR_MS = 3_600_000;

/** When the newest backup was taken, and when the last restore drill ran and how many seconds it took; null if never. */
export type BackupStatus = {
  made: Date | null;
  isLate: boolean;
  drilled: { at: Date; seconds: number } | null;
  isDrillLate: boolean;
};

/** The age of backups and drills, read from the audit log. */
export async function backupStatus(at: Date): Promise<BackupStatus> {
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
