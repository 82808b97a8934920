import { sql } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import { db } from "../client.ts";
import { SCHEMA } from "./pg-boss.ts";
import { type JobDefinition, runJob } from "./queue.ts";

/** Runs the jobs of one queue that are due at `until`. Retries wait for their own time, otherwise a failing job would never end. */
export async function drainQueue(
  boss: PgBoss,
  job: JobDefinition,
  until: Date,
): Promise<{ done: number; failed: number }> {
  await db().execute(sql`
    UPDATE ${sql.identifier(SCHEMA)}.job SET start_after = now()
    WHERE name = ${job.name} AND state = 'created' AND start_after <= ${until.toISOString()}::timestamptz`);
  const count = { done: 0, failed: 0 };
  for (const one of await boss.fetch<{ data: unknown } | null>(job.name, { batchSize: 100 })) {
    const result = await runJob(job, one);
    if (result.status === "completed") {
      await boss.complete(job.name, one.id);
      count.done += 1;
    } else {
      await boss.fail(job.name, one.id, result.output);
      count.failed += 1;
    }
  }
  return count;
}
