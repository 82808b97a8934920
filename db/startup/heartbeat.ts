import { sql } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "../client.ts";
import { currentTime } from "../clock.ts";
import { log } from "../log.ts";

/** How often, in ms, an instance records that it runs. */
const BEAT_MS = 30_000;
/** A longer silence of all instances, in ms, is a gap: nobody could meet deadlines during it. */
export const GAP_MS = 5 * 60_000;

const lastBeatQuery = sql`SELECT (extract(epoch FROM beat_at) * 1000)::float8 AS ms FROM base.heartbeat`;

/** Called with a gap, inside the transaction that claims it: the gap is claimed if and only if this commits. */
export type OnGap = (gapMs: number, now: Date, tx: Tx) => Promise<void>;

/** When any instance last recorded that it runs on this database; undefined if none ever did. */
export async function lastBeatAt(): Promise<Date | undefined> {
  const [last] = await db().execute<{ ms: number }>(lastBeatQuery);
  return last && new Date(last.ms);
}

/**
 * Records now and then every 30 seconds that an instance runs. If all were silent for more than five minutes, exactly one of them calls
 * `onGap`; if that throws, the next beat of any of them tries again. Returns a function that stops it.
 */
export async function startHeartbeat(onGap: OnGap): Promise<() => void> {
  await recordBeat(onGap, currentTime());
  const timer = setInterval(() => {
    recordBeat(onGap, currentTime()).catch((error) => log().error({ err: error }, "heartbeat"));
  }, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Claims a gap that no beat has claimed yet; otherwise writes nothing. For code that acts on what a gap moves: if all instances were
 * stopped or the machine slept, a job may run before the beat.
 */
export async function claimGap(onGap: OnGap, at: Date): Promise<void> {
  const last = await lastBeatAt();
  if (last !== undefined && at.getTime() - last.getTime() > GAP_MS) await recordBeat(onGap, at);
}

/** Records one beat. Returns the gap it has claimed in ms, or 0. */
export async function recordBeat(onGap: OnGap, at: Date): Promise<number> {
  await db().execute(
    sql`INSERT INTO base.heartbeat (beat_at) VALUES (${at.toISOString()}) ON CONFLICT DO NOTHING`,
  );
  return runInTransaction(async (tx) => {
    const [last] = await tx.execute<{ ms: number }>(sql`${lastBeatQuery} FOR UPDATE`);
    const silence = at.getTime() - (last?.ms ?? at.getTime());
    if (silence < 0) return 0; // another instance, whose clock is ahead, beat meanwhile
    if (silence > GAP_MS) await onGap(silence, at, tx);
    await tx.execute(sql`UPDATE base.heartbeat SET beat_at = ${at.toISOString()}`);
    return silence > GAP_MS ? silence : 0;
  });
}
