import { sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { currentTime } from "#db/clock";

/** Once more newer rows than this have been counted, the stored count is advanced. */
const recountThreshold = 1_000;
/** Rows younger than this (ms) stay out of the stored count: a row with a smaller id may not be committed yet. */
const commitGraceMs = 60 * 60_000;

/**
 * Number of people with an account; deleted ones do not count. Older rows are counted once (`identity.people_counted`), so the cost does
 * not grow with the number of people.
 */
export async function countPeople(exec: Executor): Promise<number> {
  const [row] = await exec.execute<{ total: number; since: number }>(sql`
    SELECT since, (total + since - gone)::int AS total FROM identity.people_counted,
      LATERAL (SELECT count(*)::int AS since FROM identity.users WHERE id > up_to) AS later,
      (SELECT count(*) AS gone FROM identity.users WHERE deleted_at IS NOT NULL) AS deleted`);
  if (row === undefined) throw new Error("identity: the count of people has no row");
  if (row.since > recountThreshold) await advanceStoredCount(exec);
  return row.total;
}

/** Of two calls at once, the second waits for the first and finds nothing left to add. */
async function advanceStoredCount(exec: Executor): Promise<void> {
  const before = new Date(currentTime().getTime() - commitGraceMs).toISOString();
  await exec.execute(sql`
    WITH latest AS (
      SELECT id FROM identity.users WHERE created_at < ${before}::timestamptz ORDER BY id DESC LIMIT 1
    )
    UPDATE identity.people_counted AS counted SET up_to = latest.id,
      total = counted.total + (SELECT count(*) FROM identity.users WHERE id > counted.up_to AND id <= latest.id)
    FROM latest WHERE counted.up_to < latest.id`);
}
