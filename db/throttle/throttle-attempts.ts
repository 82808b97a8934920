import { sql } from "drizzle-orm";
import { config } from "#config";
import { db } from "../client.ts";
import { currentTime } from "../clock.ts";
import { defineJob } from "../jobs.ts";

export type Limit = { max: number; seconds: number };
export type ThrottleRefusal = { ok: false; code: "THROTTLED"; retryAfterSeconds: number };

/**
 * Takes one of the `max` attempts that `key` has within `seconds`; they are refilled evenly, one every seconds / max. All instances share
 * the count. `THROTTLE_FACTOR` multiplies `max`. Deliberately runs outside any transaction: an attempt counts even if what it attempted is
 * rolled back. Refuses with THROTTLED and the whole seconds until the next attempt.
 */
export async function takeThrottledAttempt(
  key: string,
  limit: Limit,
  now: Date,
): Promise<{ ok: true } | ThrottleRefusal> {
  const max = Math.max(1, limit.max * config().THROTTLE_FACTOR);
  const at = sql`${now.toISOString()}::timestamptz`;
  // Rounded down to Postgres's microsecond, or `max` of them would add up to more than the window.
  const each = sql`make_interval(secs => ${Math.floor((limit.seconds * 1e6) / max) / 1e6}::float8)`;
  const window = sql`make_interval(secs => ${limit.seconds}::float8)`;
  // The generic cell rate algorithm. The upsert locks the row, so parallel attempts count one after another.
  const granted = await db().execute(sql`
    INSERT INTO base.throttle AS t (key, spent_until) VALUES (${key}, ${at} + ${each})
    ON CONFLICT (key) DO UPDATE SET spent_until = GREATEST(t.spent_until, ${at}) + ${each}
      WHERE GREATEST(t.spent_until, ${at}) + ${each} <= ${at} + ${window}
    RETURNING key`);
  if (granted.length > 0) return { ok: true };
  const [row] = await db().execute<{ wait: number }>(sql`
    SELECT extract(epoch FROM spent_until + ${each} - ${at} - ${window})::float8 AS wait
    FROM base.throttle WHERE key = ${key}`);
  return { ok: false, code: "THROTTLED", retryAfterSeconds: Math.max(1, Math.ceil(row?.wait ?? 1)) };
}

/** Resets the attempts of `key`: a correct password clears the wrong ones before it. */
export async function resetThrottle(key: string): Promise<void> {
  await db().execute(sql`DELETE FROM base.throttle WHERE key = ${key}`);
}

/** Deletes the rows of keys that have all attempts again, which is equivalent to having no row. Returns how many. */
export async function sweepThrottles(now: Date): Promise<number> {
  const gone = await db().execute(
    sql`DELETE FROM base.throttle WHERE spent_until < ${now.toISOString()}::timestamptz`,
  );
  return gone.count;
}

defineJob("throttle.sweep", async () => void (await sweepThrottles(currentTime())), { cron: "17 * * * *" });
