import { sql } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import type { Executor, Tx } from "../client.ts";
import { SCHEMA } from "./pg-boss.ts";
import { DEAD_LETTERS, deadLetterSettings } from "./queue.ts";

// Where pg-boss itself ended the job (its time was over, its worker was gone), the words lie one deeper.
const failureReason = sql`source_output ->> 'message', source_output #>> '{value,message}'`;

/** A job that failed every time it was tried. */
export type DeadJob = { id: string; name: string; failedAt: Date; reason: string };

const jobTable = sql`${sql.identifier(SCHEMA)}.job`;
const isWaitingLetter = sql`name = ${DEAD_LETTERS} AND state < 'active'`; // as pg-boss's own index has it

/**
 * Makes the queue of the dead letters, or has an older version's keep them as long as ours. Letters that lay in it by then are
 * kept too, without the values that were to be written, which older versions left in the reason.
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

/** The dead letters, oldest first, at most so many. `reason` is the last error's message, of 300 characters at most. */
export async function deadJobs(exec: Executor, limit: number): Promise<DeadJob[]> {
  const rows = await exec.execute<{ id: string; name: string; failed: string; reason: string }>(sql`
    SELECT id::text, coalesce(source_name, '') AS name, extract(epoch FROM created_on)::text AS failed,
      left(coalesce(${failureReason}, ''), 300) AS reason
    FROM ${jobTable} WHERE ${isWaitingLetter} AND NOT blocked ORDER BY priority DESC, created_on LIMIT ${limit}`);
  return rows.map(({ failed, ...row }) => ({ ...row, failedAt: new Date(Number(failed) * 1_000) }));
}

/** Takes a dead letter for the transaction: the name of its job, or undefined when another has dealt with it. */
export async function takeDeadJob(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.execute<{ name: string }>(sql`
    SELECT coalesce(source_name, '') AS name FROM ${jobTable} WHERE ${isWaitingLetter} AND id = ${id}::uuid FOR UPDATE`);
  return row?.name;
}

/** Lays a dead letter aside for good. */
export async function dropDeadJob(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM ${jobTable} WHERE ${isWaitingLetter} AND id = ${id}::uuid`);
}
