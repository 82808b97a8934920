import { sql } from "drizzle-orm";
import { db } from "../client.ts";
import { setDatabaseTime } from "../clock.ts";
import { log } from "../log.ts";

/** How often the database is asked again, so that its clock and ours do not drift apart. */
const EVERY_MS = 30_000;
/** An answer that took longer says too little of what time it is. */
const LATE_MS = 1_000;

/** Sets our clock by the database's, now and every half minute. Answers what stops it. */
export async function followDatabaseClock(): Promise<() => void> {
  // The first connections may take their time.
  for (let tries = 0; !(await readDatabaseTime()) && tries < 5; ) tries += 1;
  const timer = setInterval(() => {
    // While the database is away the monotonic clock carries on from what it said last.
    readDatabaseTime().catch((error) => log().warn({ err: error }, "the database's time could not be read"));
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** False when the answer came too late to tell the time by. */
async function readDatabaseTime(): Promise<boolean> {
  const from = performance.now();
  const [row] = await db().execute<{ ms: number }>(
    sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
  );
  const until = performance.now();
  if (row === undefined || until - from > LATE_MS) return false;
  setDatabaseTime(row.ms, (from + until) / 2);
  return true;
}
