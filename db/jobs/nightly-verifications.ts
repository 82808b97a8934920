import { sql } from "drizzle-orm";
import type { Executor } from "../client.ts";
import { SCHEMA } from "./pg-boss.ts";

/** A nightly verification: the table that keeps what came of each (`at`, `ok`), and the job that makes them. */
export type NightlyVerification = { table: `${string}.${string}`; job: string };

/** How the verifications of something stand. */
export type VerificationState = {
  /** Since when none was good: the first of the bad ones after the last good one; null while the last one was good. */
  brokenSince: Date | null;
  /** Since when one is missing: the last one, or the job's beginning, is longer ago than one may take; null while none is. */
  missingSince: Date | null;
};

/** One is due each night; what is older than this many hours was missed. */
export const MISSED_AFTER_HOURS = 36;

/** How the verifications stand at a moment. */
export async function verificationStateOf(
  exec: Executor,
  { table, job }: NightlyVerification,
  at: Date,
): Promise<VerificationState> {
  const checks = sql.raw(table);
  const ms = (moment: ReturnType<typeof sql>) => sql`(extract(epoch FROM ${moment}) * 1000)::float8`;
  // Before the first one only the database knows how long the job has been there: its clock is compared with itself.
  const [row] = await exec.execute<{ last: number | null; broken: number | null; begun: number | null }>(sql`
    SELECT ${ms(sql`(SELECT max(at) FROM ${checks})`)} AS last,
      ${ms(sql`(SELECT min(at) FROM ${checks} WHERE NOT ok
        AND at > coalesce((SELECT max(at) FROM ${checks} WHERE ok), '-infinity'))`)} AS broken,
      ${ms(sql`(SELECT created_on FROM ${sql.identifier(SCHEMA)}.schedule WHERE name = ${job}
        AND created_on < now() - ${MISSED_AFTER_HOURS} * interval '1 hour')`)} AS begun`);
  const [last, broken, begun] = [row?.last ?? null, row?.broken ?? null, row?.begun ?? null];
  const late = last !== null && at.getTime() - last > MISSED_AFTER_HOURS * 3_600_000;
  const missing = last === null ? begun : late ? last : null;
  const moment = (from: number | null) => (from === null ? null : new Date(from));
  return { brokenSince: moment(broken), missingSince: moment(missing) };
}
