import { sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { journalEntriesTable, journalsTable, payoutsTable } from "../schema/money.ts";

/**
 * The figures of a Mongolian day: the fees that Midman earned in ₮, the number of payouts sent to sellers, and their total waiting time in
 * seconds.
 */
export type OutgoingDay = { day: string; fees: number; payouts: number; seconds: number };

/** When a payout first became due: one that replaces another waits since the first of them was created. */
const firstDue = sql`CASE WHEN ${payoutsTable.replaces} IS NULL THEN ${payoutsTable.createdAt} ELSE (
  WITH RECURSIVE made (created_at, replaces) AS (
    SELECT ${payoutsTable.createdAt}, ${payoutsTable.replaces}
    UNION ALL
    SELECT b.created_at, b.replaces FROM made JOIN payments.payouts b ON b.id = made.replaces
  ) SELECT min(created_at) FROM made) END`;

/**
 * The figures of each day from `from` up to but excluding `until` on which money left; what was undone counts on the day on which it was
 * undone.
 */
export async function outgoingByDay(exec: Executor, from: Date, until: Date): Promise<OutgoingDay[]> {
  const [since, before] = [from.toISOString(), until.toISOString()];
  const rows = await exec.execute<{ day: string; fees: string; payouts: string; seconds: string }>(sql`
    WITH earned AS (
      SELECT (${journalsTable.at} AT TIME ZONE 'Asia/Ulaanbaatar')::date AS day, -sum(${journalEntriesTable.amount}) AS fees
      FROM ${journalsTable} JOIN ${journalEntriesTable} ON ${journalEntriesTable.journalId} = ${journalsTable.id} AND ${journalEntriesTable.account} = 'fees'
      WHERE ${journalsTable.kind} IN ('payout', 'refund', 'correction')
        AND ${journalsTable.at} >= ${since} AND ${journalsTable.at} < ${before}
      GROUP BY 1
    ), left_us AS (
      SELECT (${payoutsTable.sentAt} AT TIME ZONE 'Asia/Ulaanbaatar')::date AS day, count(*) AS payouts,
        sum(extract(epoch FROM ${payoutsTable.sentAt} - ${firstDue}))::bigint AS seconds
      FROM ${payoutsTable}
      WHERE ${payoutsTable.sentAt} >= ${since} AND ${payoutsTable.sentAt} < ${before}
        AND ${payoutsTable.kind} = 'payout' AND ${payoutsTable.state} <> 'void'
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
