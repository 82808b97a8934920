import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { registerScrapedGauge } from "#db/metrics";

/** Registers two gauges: how many deadlines have passed, by kind, and by how many seconds the oldest of them has. */
export function measureDeadlines(): void {
  type Row = { kind: string; count: number; seconds: number };
  const by = (of: "count" | "seconds") => async () => {
    const at = currentTime().toISOString();
    const rows = await db().execute<Row>(sql`
      SELECT kind, count(*)::int AS count, extract(epoch FROM ${at}::timestamptz - min(due_at))::float8 AS seconds
      FROM escrow.deadlines WHERE state IN ('running', 'overdue') AND due_at < ${at} GROUP BY kind`);
    return rows.map((row) => ({ labels: { kind: row.kind }, value: row[of] }));
  };
  const shared = { labels: ["kind"], keepSeconds: 15 };
  registerScrapedGauge(
    { name: "deadlines_overdue", help: "Deadlines of trades that are overdue", ...shared },
    by("count"),
  );
  registerScrapedGauge(
    {
      name: "deadlines_overdue_seconds",
      help: "How long the oldest overdue deadline has been overdue",
      ...shared,
    },
    by("seconds"),
  );
}
