import { sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { entries, journals, payouts } from "../schema/money.ts";

/** What a Mongolian day brought us in fees, and how many sellers were paid after how many seconds of waiting together. */
export type OutgoingDay = { day: string; fees: number; payouts: number; seconds: number };

/** Since when a payout has been due: a record that took another's place goes on waiting where that one began. */
const firstDue = sql`CASE WHEN ${payouts.replaces} IS NULL THEN ${payouts.createdAt} ELSE (
  WITH RECURSIVE made (created_at, replaces) AS (
    SELECT ${payouts.createdAt}, ${payouts.replaces}
    UNION ALL
    SELECT b.created_at, b.replaces FROM made JOIN payments.payouts b ON b.id = made.replaces
  ) SELECT min(created_at) FROM made) END`;

/** The days between two moments, the second left out, on which money went out; what was undone counts on the day of its undoing. */
export async function outgoingByDay(exec: Executor, from: Date, until: Date): Promise<OutgoingDay[]> {
  const [since, before] = [from.toISOString(), until.toISOString()];
  const rows = await exec.execute<{ day: string; fees: string; payouts: string; seconds: string }>(sql`
    WITH earned AS (
      SELECT (${journals.at} AT TIME ZONE 'Asia/Ulaanbaatar')::date AS day, -sum(${entries.amount}) AS fees
      FROM ${journals} JOIN ${entries} ON ${entries.journalId} = ${journals.id} AND ${entries.account} = 'fees'
      WHERE ${journals.kind} IN ('payout', 'refund', 'correction')
        AND ${journals.at} >= ${since} AND ${journals.at} < ${before}
      GROUP BY 1
    ), left_us AS (
      SELECT (${payouts.sentAt} AT TIME ZONE 'Asia/Ulaanbaatar')::date AS day, count(*) AS payouts,
        sum(extract(epoch FROM ${payouts.sentAt} - ${firstDue}))::bigint AS seconds
      FROM ${payouts}
      WHERE ${payouts.sentAt} >= ${since} AND ${payouts.sentAt} < ${before}
        AND ${payouts.kind} = 'payout' AND ${payouts.state} <> 'void'
      GROUP BY 1
    )
    SELECT day::text, coalesce(fees, 0)::text AS fees, coalesce(payouts, 0)::text AS payouts,
      greatest(coalesce(seconds, 0), 0)::text AS seconds
    FROM earned FULL JOIN left_us USING (day)`);
  return rows.map(({ day, ...row }) => ({
    day,
    fees: Number(row.fees),
    payouts: Number(row.payouts),
    seconds: Number(row.seconds),
  }));
}
