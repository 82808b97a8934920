import { sql } from "drizzle-orm";
import type { Executor } from "../client.ts";
import { SCHEMA } from "./pg-boss.ts";

/** A nightly verification: the table that stores the results (`at`, `ok`), and the job that runs it. */
export type NightlyVerification = { table: `${string}.${string}`; job: string };

/** The state of a nightly verification. */
export type VerificationState = {
  /** The time of the first failed run since the last good one; null if the last one was good. */
  brokenSince: Date | null;
  /** The time of the last run, or of the job's creation, if that is too long ago; null if no run was missed. */
  missingSince: Date | null;
};

/** A run is due every night; after this many hours it counts as missed. */
export const MISSED_AFTER_HOURS = 36;

/** The state of a verification at the given time. */
export async function verificationStateOf(
  exec: Executor,
  { table, job }: NightlyVerification,
  at: Date,
): Promise<VerificationState> {
  const checks = sql.raw(table);
  const ms = (moment: ReturnType<typeof sql>) => sql`(extract(epoch FROM ${moment}) * 1000)::float8`;
  // Before the first run only the database knows since when the job exists, so its clock is compared with itself.
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
