import { sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { ChainPosition } from "../chain/digests.ts";

/**
 * A position below which every transaction of this database has ended: what it wrote is visible to any later statement, or never will be.
 * Transactions of other databases on the same server are ignored.
 */
export async function oldestRunning(tx: Tx): Promise<ChainPosition> {
  // The snapshot is taken before pg_locks is read. Only a transaction that then holds its id in another database is ignored: one that is
  // not yet, or no longer, in pg_locks counts as one of this database, and its entries are sealed by a later run.
  const [row] = await tx.execute<ChainPosition>(sql`
    WITH running AS (SELECT pg_snapshot_xip(pg_current_snapshot()) AS xid),
    elsewhere AS (
      SELECT l.transactionid AS xid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted
        AND a.datid <> (SELECT oid FROM pg_database WHERE datname = current_database())
    )
    SELECT audit.current_era() AS era, coalesce(
      (SELECT min(xid) FROM running WHERE xid::xid NOT IN (SELECT xid FROM elsewhere)),
      pg_snapshot_xmax(pg_current_snapshot())
    )::text AS xid`);
  if (row === undefined) throw new Error("audit: no snapshot");
  return row;
}
