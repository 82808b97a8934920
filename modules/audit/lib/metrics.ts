import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { readAtScrape } from "#db/metrics";
import { lastCheck } from "./check.ts";

/** Shows how far the sealing is behind, and when the chain was verified last. */
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
}
