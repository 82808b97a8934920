import { sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { lockChain } from "../core/lock-chain.ts";

/**
 * Begins a new era when this database has come to a cluster whose transaction counter is behind what the log has
 * seen (a dump was restored): otherwise new entries would fall among sealed ones. Runs before anything is recorded.
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
 * The same in the transaction that restores a backup, whose own entries are to follow what was restored: also where the counter of
 * this cluster has only just come past the log's. Nobody else may write to this database meanwhile.
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
