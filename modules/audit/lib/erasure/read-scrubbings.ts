import { sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { LOG_DAYS, TRACE_DAYS } from "../core/retention-periods.ts";
import type { KeptEntry } from "../entries/stored-entries.ts";
import { spellColumn } from "../entries/stored-entries.ts";

const DAY_MS = 86_400_000;
/** Tolerance for clocks of different instances. */
const SKEW_MS = 3_600_000;

/** Checks missing traces against the scrubbings that the log records. */
export type ScrubbingTracker = {
  /** True if a recorded scrubbing explains why an entry's trace is gone, or if the entry of that scrubbing may be erased itself. */
  explain(entry: KeptEntry["sealed"]): boolean;
  /** Call for every entry: what is wrong with it if it records a scrubbing; undefined otherwise. */
  recorded(entry: KeptEntry["sealed"]): string | undefined;
};

type Row = { recordedAt: string; olderThan: string | null; userId: string | null };

/**
 * Reads the recorded scrubbings. Every entry with a trace has its hash in the sealed line. The trace may be gone if a recorded scrubbing
 * took it: one of all traces older than a time, or one of the traces of one user. Entries about scrubbings are erased after `LOG_DAYS`, so
 * an older missing trace needs none.
 */
export async function readScrubbings(exec: Executor, runningAt: Date | undefined): Promise<ScrubbingTracker> {
  const rows = await exec.execute<Row>(sql`
    SELECT ${spellColumn(sql`e.recorded_at`)} AS "recordedAt", e.data->>'olderThan' AS "olderThan", e.data->>'userId' AS "userId"
    FROM audit.entries e WHERE e.action = 'traces_scrubbed'`);
  const [newest] = await exec.execute<{ at: string | null }>(
    sql`SELECT ${spellColumn(sql`max(e.recorded_at)`)} AS at FROM audit.entries e
      WHERE e.at > (SELECT max(at) FROM audit.entries) - interval '1 day'`,
  );
  const now = Math.max(runningAt?.getTime() ?? 0, newest?.at == null ? 0 : Date.parse(newest.at));
  let allBefore = now - LOG_DAYS * DAY_MS;
  const people = new Map<string, Array<{ recorded: number; before: number }>>();
  for (const { recordedAt, olderThan, userId } of rows) {
    const before = olderThan === null ? Number.POSITIVE_INFINITY : Date.parse(olderThan);
    if (userId === null) allBefore = Math.max(allBefore, before);
    else
      people.set(userId, [...(people.get(userId ?? "") ?? []), { recorded: Date.parse(recordedAt), before }]);
  }
  return {
    explain({ at, userId, recordedAt }) {
      const [moment, recorded] = [Date.parse(at ?? ""), Date.parse(recordedAt)];
      if (moment < allBefore) return true;
      const own = people.get(userId ?? "");
      return own?.some((scrub) => recorded <= scrub.recorded && moment < scrub.before) === true;
    },
    recorded({ action, id, at, data }) {
      if (action !== "traces_scrubbed") return undefined;
      const { olderThan, userId } = JSON.parse(data ?? "{}") as { olderThan?: string; userId?: unknown };
      if (userId !== undefined) return undefined;
      const early = Date.parse(olderThan ?? at ?? "") > Date.parse(at ?? "") - TRACE_DAYS * DAY_MS + SKEW_MS;
      return early
        ? `entry ${id} records the erasure of traces that were not ${TRACE_DAYS} days old`
        : undefined;
    },
  };
}
