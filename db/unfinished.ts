import { sql } from "drizzle-orm";
import { config } from "#config";
import { db, type Executor } from "./client.ts";

/**
 * A restore commits what was saved before it erases again who was erased since. In between, and for ever after a crash in between, the database
 * has erased people in it: a mark stands there meanwhile, set by the transaction that fills it.
 */
export async function markUnfinished(exec: Executor, at: Date): Promise<void> {
  await exec.execute(sql`INSERT INTO base.unfinished_restore (begun_at) VALUES (${at.toISOString()})`);
}

/** Takes the mark away: everybody who could be erased again is. */
export async function markFinished(): Promise<void> {
  await db().execute(sql`DELETE FROM base.unfinished_restore`);
}

/** Why a database must not be used in which a restore has not ended, with what to do; undefined of any other, also of an empty one. */
export async function unfinishedRestore(exec: Executor = db()): Promise<string | undefined> {
  const [table] = await exec.execute<{ there: boolean }>(
    sql`SELECT to_regclass('base.unfinished_restore') IS NOT NULL AS there`,
  );
  if (!table?.there) return undefined;
  const [mark] = await exec.execute(sql`SELECT FROM base.unfinished_restore`);
  return mark && "a restore into it has not ended, and who was erased since that backup may be back in it";
}

/** Ends what would use such a database: throws one line. */
export async function mustBeRestored(): Promise<void> {
  const reason = await unfinishedRestore();
  if (reason === undefined) return;
  const [place, emptied] =
    config().DATABASE_URL === undefined
      ? ["DATA_DIR: its database", "put the folder postgres-18 in it aside"]
      : ["DATABASE_URL: the database", "empty it"];
  throw new Error(
    `Midman cannot start.\n${place} is not restored: ${reason}. If that restore is not under way, ${emptied} and restore once more`,
  );
}
