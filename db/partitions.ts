import { setTimeout as pause } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { db, runInTransaction } from "./client.ts";
import { defineJob } from "./jobs.ts";
import { log } from "./log.ts";

/** So far ahead partitions are made: whoever misses every run for a year loses nothing yet. */
const AHEAD = "1 year";
/** Each try waits half a second at most for whoever uses the tables, and is out of their way for as long. */
const TRIES = 20;
const PAUSE_MS = 500;

const keepPartitionsJob = defineJob("base.partitions", keepPartitions, { cron: "10 19 * * *" });

/** Has a job look after them now, once however many instances start: nobody waits for it. */
export async function keepPartitionsSoon(): Promise<void> {
  await runInTransaction((tx) => keepPartitionsJob.enqueue(tx, undefined, { key: "asked" }));
}

/** What a partition was made for: `made` partitions, and rows that came before it (`taken`) or that none may hold (`astray`). */
type PartitionOutcome = { made: number; taken: number; astray: number };

/**
 * Makes the partitions of the coming year by the clock of the database, for every table that is parted by time, and has the planner
 * learn of the tables as a whole, which nothing else does. Rows that came before their partition was there get one, and are told of in
 * the program's log. Harmless when repeated, also by several instances at once. Throws where rows lie in a default partition that no other may
 * hold: the job then comes to the administrators' work.
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
    if (kept.taken > 0) log().warn({ table, rows: kept.taken }, "rows came before their partition was made");
    if (kept.astray > 0) astray.push(`${table} (${kept.astray} rows)`);
    await db().execute(sql`SELECT base.analyze_partitioned(${table}::regclass)`);
  }
  if (astray.length > 0) {
    throw new Error(`Rows lie in the default partition and none may be made for them: ${astray.join(", ")}`);
  }
}

/**
 * Makes the partitions that are missing between two moments, of every table that is parted by time: for whoever loads rows of an
 * earlier time. Without it they would all lie in the first partition, which has no beginning. Where rows lie there already it
 * makes only what comes after. Answers how many were made.
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

/** The tables that are parted by time, `schema.name`; pg-boss parts its own by other things. */
async function listPartitionedTables(): Promise<string[]> {
  const rows = await db().execute<{ name: string }>(sql`
    SELECT c.relnamespace::regnamespace || '.' || c.relname AS name FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
    WHERE p.partstrat = 'r' AND p.partdefid <> 0 ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** In a transaction of its own, so that what it locked is let go with it. */
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
      log().info({ table, left }, "partitions: the table is busy");
      await pause(PAUSE_MS);
    }
  }
}
