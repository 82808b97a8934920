import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { registerScrapedGauge } from "#db/metrics";

/** Registers the metrics of mails: how many wait or have failed, and how long the oldest has waited. */
export function measureMails(): void {
  type Row = { state: string; count: number; seconds: number };
  const by = (of: "count" | "seconds") => async () => {
    const rows = await db().execute<Row>(sql`
      SELECT state, count(*)::int AS count, extract(epoch FROM now() - min(created_at))::float8 AS seconds
      FROM mailer.messages WHERE state IN ('queued', 'failed') GROUP BY state`);
    return rows.map((row) => ({ labels: { state: row.state }, value: row[of] }));
  };
  const shared = { labels: ["state"], keepSeconds: 15 };
  registerScrapedGauge(
    { name: "mails", help: "Mails that wait to be sent or have failed", ...shared },
    by("count"),
  );
  registerScrapedGauge(
    { name: "mails_oldest_seconds", help: "How long the oldest mail has waited", ...shared },
    by("seconds"),
  );
}
