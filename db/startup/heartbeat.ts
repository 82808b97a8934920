import { sql } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "../client.ts";
import { currentTime } from "../clock.ts";
import { log } from "../log.ts";

/** How often an instance says that it runs. */
const BEAT_MS = 30_000;
/** A longer silence of all instances is a gap: nobody could do then what deadlines ask for. */
export const GAP_MS = 5 * 60_000;

const lastBeatQuery = sql`SELECT (extract(epoch FROM beat_at) * 1000)::float8 AS ms FROM base.heartbeat`;

/** Told of a gap, inside the transaction that claims it: the gap is claimed if and only if this takes effect. */
export type OnGap = (gapMs: number, now: Date, tx: Tx) => Promise<void>;

/** When any instance last said that it runs on this database; undefined where none ever did. */
export async function lastBeatAt(): Promise<Date | undefined> {
  const [last] = await db().execute<{ ms: number }>(lastBeatQuery);
  return last && new Date(last.ms);
}

/**
 * Says at once and then every 30 seconds that an instance runs. When all were silent for more than five minutes, exactly
 * one of them calls `onGap`; should that throw, the next beat of any of them tries again. Answers what stops it.
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
 * Claims a gap that no beat has claimed yet; where there is none it writes nothing. For whoever acts on what a gap moves: a job
 * may come before the beat, when all were stopped or the machine slept.
 */
export async function claimGap(onGap: OnGap, at: Date): Promise<void> {
  const last = await lastBeatAt();
  if (last !== undefined && at.getTime() - last.getTime() > GAP_MS) await recordBeat(onGap, at);
}

/** One beat. Answers the gap it has claimed in milliseconds, or 0. */
export async function recordBeat(onGap: OnGap, at: Date): Promise<number> {
  await db().execute(
    sql`INSERT INTO base.heartbeat (beat_at) VALUES (${at.toISOString()}) ON CONFLICT DO NOTHING`,
  );
  return runInTransaction(async (tx) => {
    const [last] = await tx.execute<{ ms: number }>(sql`${lastBeatQuery} FOR UPDATE`);
    const silence = at.getTime() - (last?.ms ?? at.getTime());
    if (silence < 0) return 0; // another instance, whose clock is ahead, was here meanwhile
    if (silence > GAP_MS) await onGap(silence, at, tx);
    await tx.execute(sql`UPDATE base.heartbeat SET beat_at = ${at.toISOString()}`);
    return silence > GAP_MS ? silence : 0;
  });
}
