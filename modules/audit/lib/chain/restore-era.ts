import { sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { lockChain } from "../core/lock-chain.ts";

/**
 * Begins a new era if this database is on a cluster whose transaction counter is behind the ids in the log (a dump was restored): otherwise
 * new entries would sort among sealed ones. Runs before anything is recorded. Returns whether it did.
 */
export async function beginEraIfRestored(): Promise<boolean> {
  return runInTransaction(async (tx) => {
    await lockChain(tx, "wait");
    const [row] = await tx.execute<{ behind: boolean }>(sql`
      SELECT EXISTS (
        SELECT FROM audit.entries
        WHERE era = audit.current_era() AND xid >= pg_snapshot_xmax(pg_current_snapshot())
      ) OR EXISTS (
        SELECT FROM audit.blocks
        WHERE to_era = audit.current_era() AND to_xid > pg_snapshot_xmax(pg_current_snapshot())
      ) AS behind`);
    if (row?.behind === true) await tx.execute(sql`SELECT nextval('audit.era')`);
    return row?.behind === true;
  });
}

/**
 * The same in the transaction that restores a backup, so that its own entries sort after the restored ones, even if this cluster's counter
 * has only just passed the log's. Nobody else may write to this database meanwhile.
 */
export async function beginEraAfterRestore(tx: Tx): Promise<void> {
  await lockChain(tx, "wait");
  await tx.execute(sql`
    SELECT nextval('audit.era') WHERE EXISTS (
      SELECT FROM audit.entries WHERE era = audit.current_era() AND xid >= pg_current_xact_id()
    ) OR EXISTS (
      SELECT FROM audit.blocks WHERE to_era = audit.current_era() AND to_xid > pg_current_xact_id()
    )`);
}
