import { sql } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import type { Executor, Tx } from "../client.ts";
import { SCHEMA } from "./pg-boss.ts";
import { DEAD_LETTERS, deadLetterSettings } from "./queue.ts";

// If pg-boss itself ended the job (it timed out, its worker was gone), the text lies one level deeper.
const failureReason = sql`source_output ->> 'message', source_output #>> '{value,message}'`;

/** A job that failed every time it was tried. */
export type DeadJob = { id: string; name: string; failedAt: Date; reason: string };

const jobTable = sql`${sql.identifier(SCHEMA)}.job`;
const isWaitingLetter = sql`name = ${DEAD_LETTERS} AND state < 'active'`; // as in pg-boss's own index

/**
 * Creates the queue of the dead letters, or extends the retention of an older version's queue to the current one. Existing letters are kept
 * too, without the query values that older versions left in the reason.
 */
export async function ensureDeadLetters(boss: PgBoss): Promise<void> {
  await boss.createQueue(DEAD_LETTERS, deadLetterSettings);
  await boss.updateQueue(DEAD_LETTERS, deadLetterSettings);
  const keep = `
    UPDATE ${SCHEMA}.job SET keep_until = created_on + $2 * interval '1 second',
      source_output = CASE WHEN source_output ? 'message'
        THEN jsonb_build_object('message', split_part(source_output ->> 'message', E'\\nparams: ', 1)) ELSE source_output END
    WHERE name = $1 AND state < 'active' AND keep_until < created_on + $2 * interval '1 second'`;
  await boss.getDb().executeSql(keep, [DEAD_LETTERS, deadLetterSettings.retentionSeconds]);
}

/** The dead letters, oldest first, at most `limit`. `reason` is the last error's message, at most 300 characters. */
export async function deadJobs(exec: Executor, limit: number): Promise<DeadJob[]> {
  const rows = await exec.execute<{ id: string; name: string; failed: string; reason: string }>(sql`
    SELECT id::text, coalesce(source_name, '') AS name, extract(epoch FROM created_on)::text AS failed,
      left(coalesce(${failureReason}, ''), 300) AS reason
    FROM ${jobTable} WHERE ${isWaitingLetter} AND NOT blocked ORDER BY priority DESC, created_on LIMIT ${limit}`);
  return rows.map(({ failed, ...row }) => ({ ...row, failedAt: new Date(Number(failed) * 1_000) }));
}

/** Locks a dead letter for the transaction. Returns the name of its job; undefined if it was already dealt with. */
export async function takeDeadJob(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.execute<{ name: string }>(sql`
    SELECT coalesce(source_name, '') AS name FROM ${jobTable} WHERE ${isWaitingLetter} AND id = ${id}::uuid FOR UPDATE`);
  return row?.name;
}

/** Deletes a dead letter. */
export async function dropDeadJob(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM ${jobTable} WHERE ${isWaitingLetter} AND id = ${id}::uuid`);
}
