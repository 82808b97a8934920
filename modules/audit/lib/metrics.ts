import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { readAtScrape } from "#db/metrics";
import { lastCheck } from "./check.ts";

/** Shows how far the sealing is behind, when the chain was verified last, and what the newest backup is. */
export function measureLog(): void {
  readAtScrape(
    { name: "log_unsealed_seconds", help: "How old the oldest entry is that no block holds", keepSeconds: 5 },
    async () => {
      const [row] = await db().execute<{ seconds: number }>(sql`
        SELECT coalesce(extract(epoch FROM now() - min(at)), 0)::float8 AS seconds FROM audit.entries
        WHERE id > coalesce((SELECT last_id FROM audit.blocks ORDER BY n DESC LIMIT 1), 0)`);
      return [{ value: Math.max(0, row?.seconds ?? 0) }];
    },
  );
  readAtScrape(
    {
      name: "log_verified_seconds",
      help: "How long ago the log was verified last, and whether it was whole",
      labels: ["whole"],
      keepSeconds: 15,
    },
    async () => {
      const last = await lastCheck();
      if (last === null) return [];
      return [{ labels: { whole: String(last.ok) }, value: (now().getTime() - last.at.getTime()) / 1_000 }];
    },
  );
  measureBackups();
}

/** Shows how old and how large the newest backup is; nothing where there was none. */
function measureBackups(): void {
  const newest = (figure: "seconds" | "bytes") => async () => {
    const [row] = await db().execute<{ seconds: number; bytes: number }>(sql`
      SELECT extract(epoch FROM now() - (data ->> 'takenAt')::timestamptz)::float8 AS seconds, (data ->> 'bytes')::float8 AS bytes
      FROM audit.entries WHERE action = 'backup_made' ORDER BY at DESC, id DESC LIMIT 1`);
    return row === undefined ? [] : [{ value: row[figure] }];
  };
  readAtScrape(
    { name: "backup_age_seconds", help: "How long ago the newest backup was taken", keepSeconds: 60 },
    newest("seconds"),
  );
  readAtScrape(
    {
      name: "backup_drill_age_seconds",
      help: "How long ago a backup was last restored for a drill",
      keepSeconds: 60,
    },
    async () => {
      const [row] = await db().execute<{ seconds: number }>(sql`
        SELECT extract(epoch FROM now() - at)::float8 AS seconds FROM audit.entries
        WHERE action = 'backup_drilled' ORDER BY at DESC, id DESC LIMIT 1`);
      return row === undefined ? [] : [{ value: row.seconds }];
    },
  );
  readAtScrape(
    { name: "backup_bytes", help: "How large the newest backup is, packed", keepSeconds: 60 },
    newest("bytes"),
  );
}
