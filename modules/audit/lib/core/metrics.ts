import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { registerScrapedGauge } from "#db/metrics";
import { lastLogCheck } from "../chain/check-chain.ts";

/** Registers the metrics of the log: the age of the oldest unsealed entry, the last verification, and the newest backup. */
export function measureLog(): void {
  registerScrapedGauge(
    {
      name: "log_unsealed_seconds",
      help: "Age of the oldest log entry that is not yet sealed in a block",
      keepSeconds: 5,
    },
    async () => {
      const [row] = await db().execute<{ seconds: number }>(sql`
        SELECT coalesce(extract(epoch FROM now() - min(at)), 0)::float8 AS seconds FROM audit.entries
        WHERE id > coalesce((SELECT last_id FROM audit.blocks ORDER BY n DESC LIMIT 1), 0)`);
      return [{ value: Math.max(0, row?.seconds ?? 0) }];
    },
  );
  registerScrapedGauge(
    {
      name: "log_verified_seconds",
      help: "Time since the log was last verified; `whole` is the result",
      labels: ["whole"],
      keepSeconds: 15,
    },
    async () => {
      const last = await lastLogCheck();
      if (last === null) return [];
      return [
        { labels: { whole: String(last.ok) }, value: (currentTime().getTime() - last.at.getTime()) / 1_000 },
      ];
    },
  );
  measureBackups();
}

/** Registers age and size of the newest backup, and the age of the last restore drill; no value if there was none. */
function measureBackups(): void {
  const keepSeconds = 60;
  registerScrapedGauge(
    { name: "backup_age_seconds", help: "Age of the newest backup", keepSeconds },
    newestEntry("backup_made", sql`extract(epoch FROM now() - (data ->> 'takenAt')::timestamptz)`),
  );
  registerScrapedGauge(
    { name: "backup_bytes", help: "Size of the newest backup, compressed", keepSeconds },
    newestEntry("backup_made", sql`data ->> 'bytes'`),
  );
  registerScrapedGauge(
    {
      name: "backup_drill_age_seconds",
      help: "Time since a backup was last restored in a drill",
      keepSeconds,
    },
    newestEntry("backup_drilled", sql`extract(epoch FROM now() - at)`),
  );
}

/** Reads a figure from the newest entry of an action. */
function newestEntry(action: string, figure: SQL) {
  return () =>
    db().execute<{ value: number }>(sql`
      SELECT (${figure})::float8 AS value FROM audit.entries WHERE action = ${action} ORDER BY at DESC, id DESC LIMIT 1`);
}
