import { sql } from "drizzle-orm";
import { config } from "#config";
import { db, type Executor } from "../client.ts";

/**
 * Marks the database as an unfinished restore. A restore commits the archive's rows before it repeats the erasures made since; until then, and after
 * a crash in between, the database holds erased people. Must be called in the transaction that fills the database.
 */
export async function markUnfinished(exec: Executor, at: Date): Promise<void> {
  await exec.execute(sql`INSERT INTO base.unfinished_restore (begun_at) VALUES (${at.toISOString()})`);
}

/** Removes the mark, once the erasures have been repeated. */
export async function markFinished(): Promise<void> {
  await db().execute(sql`DELETE FROM base.unfinished_restore`);
}

/** Why the database must not be used, if a restore into it has not finished; undefined otherwise, also for an empty database. */
export async function unfinishedRestore(exec: Executor = db()): Promise<string | undefined> {
  const [table] = await exec.execute<{ there: boolean }>(
    sql`SELECT to_regclass('base.unfinished_restore') IS NOT NULL AS there`,
  );
  if (!table?.there) return undefined;
  const [mark] = await exec.execute(sql`SELECT FROM base.unfinished_restore`);
  return (
    mark &&
    "a restore into it has not finished, so people who were erased since that backup may be back in it"
  );
}

/** Throws a line for the operator if a restore into the database has not ended. */
export async function mustBeRestored(): Promise<void> {
  const reason = await unfinishedRestore();
  if (reason === undefined) return;
  const [place, emptied] =
    config().DATABASE_URL === undefined
      ? ["DATA_DIR: its database", "rename its folder postgres-18"]
      : ["DATABASE_URL: the database", "empty it"];
  throw new Error(
    `Midman cannot start.\n${place} is not restored: ${reason}. If that restore is not running, ${emptied} and restore again`,
  );
}
