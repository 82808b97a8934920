import { sql } from "drizzle-orm";
import { db } from "../client.ts";
import { setDatabaseTime } from "../clock.ts";
import { log } from "../log.ts";

/** How often, in ms, the database's time is read, so that the two clocks do not drift apart. */
const EVERY_MS = 30_000;
/** An answer that took longer (ms) is too imprecise. */
const LATE_MS = 1_000;

/** Sets the process's clock by the database's, now and every half minute. Returns a function that stops it. */
export async function followDatabaseClock(): Promise<() => void> {
  // Opening the first connections may take long.
  for (let tries = 0; !(await readDatabaseTime()) && tries < 5; ) tries += 1;
  const timer = setInterval(() => {
    // While the database is down, the monotonic clock advances the last time read.
    readDatabaseTime().catch((error) => log().warn({ err: error }, "the database's time could not be read"));
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns false if the answer was too slow to set the clock by. */
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
