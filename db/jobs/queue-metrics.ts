import { sql } from "drizzle-orm";
import { db } from "../client.ts";
import { registerScrapedGauge } from "../metrics.ts";
import { SCHEMA } from "./pg-boss.ts";
import { DEAD_LETTERS } from "./queue.ts";

const jobSchema = sql.identifier(SCHEMA);

/** Registers the metrics of the queues: their sizes as pg-boss last counted them, and the age of the oldest due job. */
export function measureQueues(): void {
  registerScrapedGauge(
    {
      name: "jobs",
      help: "Jobs by queue and state (later, due, active); the queue dead-letters has the jobs that failed every attempt",
      labels: ["queue", "state"],
      keepSeconds: 5,
    },
    async () => {
      const rows = await db().execute<Record<"name" | "later" | "due" | "active", string>>(sql`
        SELECT name, deferred_count AS later, ready_count AS due, active_count AS active
        FROM ${jobSchema}.queue`);
      return rows.flatMap(({ name, ...counts }) =>
        Object.entries(counts).map(([state, count]) => ({
          labels: { queue: name, state },
          value: Number(count),
        })),
      );
    },
  );
  registerScrapedGauge(
    {
      name: "jobs_oldest_due_seconds",
      help: "How long the oldest due job of a queue has waited; absent for a queue without due jobs",
      labels: ["queue"],
      keepSeconds: 15,
    },
    async () => {
      const rows = await db().execute<{ name: string; seconds: number }>(sql`
        SELECT name, extract(epoch FROM now() - min(start_after))::float8 AS seconds FROM ${jobSchema}.job
        WHERE state < 'active' AND NOT blocked AND start_after <= now() AND name <> ${DEAD_LETTERS} GROUP BY name`);
      return rows.map(({ name, seconds }) => ({ labels: { queue: name }, value: seconds }));
    },
  );
}
