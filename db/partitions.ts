import { setTimeout as pause } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { db, runInTransaction } from "./client.ts";
import { defineJob } from "./jobs.ts";
import { log } from "./log.ts";

/** How far ahead partitions are created: a job that fails for a year does not yet lose anything. */
const AHEAD = "1 year";
/** Each attempt waits at most half a second for other users of the table, then leaves it alone for as long. */
const TRIES = 20;
const PAUSE_MS = 500;

const keepPartitionsJob = defineJob("base.partitions", keepPartitions, { cron: "10 19 * * *" });

/** Enqueues the partition job for now, once however many instances start, so that no start waits for it. */
export async function keepPartitionsSoon(): Promise<void> {
  await runInTransaction((tx) => keepPartitionsJob.enqueue(tx, undefined, { key: "asked" }));
}

/**
 * The outcome for a table: partitions `made`, rows that arrived before their partition existed (`taken`), and rows that no partition can
 * hold (`astray`).
 */
type PartitionOutcome = { made: number; taken: number; astray: number };

/**
 * Creates the partitions of the coming year, by the database's clock, for every table that is partitioned by time, and analyses the parent
 * tables, which autovacuum does not do. Rows that arrived before their partition existed get one, and are logged. Idempotent, also when
 * several instances run it at once. Throws if rows lie in a default partition and no other partition can hold them: the job then appears in
 * the administrators' work queue.
 */
export async function keepPartitions(): Promise<void> {
  const astray: string[] = [];
  for (const table of await listPartitionedTables()) {
    const kept = await retryWhileLocked(table, async () => {
      const row = await runAlone<Record<keyof PartitionOutcome, string>>(
        sql`SELECT * FROM base.keep_partitions(${table}::regclass, ${AHEAD}::interval)`,
      );
      return { made: Number(row?.made), taken: Number(row?.taken), astray: Number(row?.astray) };
    });
    if (kept.made > 0) log().info({ table, made: kept.made }, "partitions made");
    if (kept.taken > 0)
      log().warn({ table, rows: kept.taken }, "rows were written before their partition existed");
    if (kept.astray > 0) astray.push(`${table} (${kept.astray} rows)`);
    await db().execute(sql`SELECT base.analyze_partitioned(${table}::regclass)`);
  }
  if (astray.length > 0) {
    throw new Error(
      `Rows are in the default partition, and no partition can be created for them: ${astray.join(", ")}`,
    );
  }
}

/**
 * Creates the missing partitions between two times, for every table that is partitioned by time, before older rows are loaded. Without it
 * they would all go into the first partition, which has no lower bound. If rows lie there already, only partitions after them are created.
 * Returns how many were created.
 */
export async function makePartitions({ from, to }: { from: Date; to: Date }): Promise<number> {
  let made = 0;
  for (const table of await listPartitionedTables()) {
    made += await retryWhileLocked(table, async () => {
      const row = await runAlone<{ made: number }>(sql`
        SELECT base.make_partitions(${table}::regclass, ${from.toISOString()}::timestamptz, ${to.toISOString()}::timestamptz) AS made`);
      return row?.made ?? 0;
    });
  }
  return made;
}

/** The tables that are partitioned by time, as `schema.name`. pg-boss partitions its own tables otherwise. */
async function listPartitionedTables(): Promise<string[]> {
  const rows = await db().execute<{ name: string }>(sql`
    SELECT c.relnamespace::regnamespace || '.' || c.relname AS name FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
    WHERE p.partstrat = 'r' AND p.partdefid <> 0 ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** Runs the statement in a transaction of its own, which releases its locks at the end. */
async function runAlone<Row extends Record<string, unknown>>(statement: SQL) {
  const [row] = await runInTransaction((tx) => tx.execute<Row>(statement));
  return row;
}

const LOCK_NOT_AVAILABLE = "55P03";

async function retryWhileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || (error as { cause?: { code?: string } }).cause?.code !== LOCK_NOT_AVAILABLE)
        throw error;
      log().info({ table, left }, "partitions: the table is locked, trying again later");
      await pause(PAUSE_MS);
    }
  }
}
