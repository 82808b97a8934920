import { type SQL, sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { lineDigest } from "../chain/digests.ts";
import { erasedEntriesTable } from "../core/schema.ts";
import { recordAuditEntry } from "../entries/record-entry.ts";
import { lineColumns } from "../entries/stored-entries.ts";
import type { SealedRecords } from "../records/record-registry.ts";
import { type ErasureRecord, linesDigest } from "./track-erasures.ts";

type Line = Record<string, string | null> & { id: string; era: string; xid: string; at: string };
export type OutdatedEntries = {
  actions: readonly string[];
  olderThan: Date;
  at: Date;
  /** Entries that stay as long as the records they prove. */
  kept?: ReadonlyArray<NonNullable<SealedRecords["kept"]>>;
};

const BATCH = 2000;

/**
 * Erases the entries of some actions that were sealed before a time, with their traces. The digest of each stays, so that the chain remains
 * intact; every batch is recorded (`log_erased`) with a digest of the erased lines. Repeating it erases nothing more. Entries in blocks of
 * form 1 stay, because only the whole line proves them. Returns the number of erased entries.
 */
export async function eraseEntries(outdated: OutdatedEntries): Promise<number> {
  for (let gone = 0; ; ) {
    const batch = await runInTransaction((tx) => eraseBatch(tx, outdated));
    gone += batch;
    if (batch < BATCH) return gone;
  }
}

async function eraseBatch(tx: Tx, outdated: OutdatedEntries): Promise<number> {
  const { at } = outdated;
  // Serializes runs: the application's role may only read and add log rows, so it cannot lock them.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('audit.erase_entries'))`);
  const rows = await oldLines(tx, outdated);
  if (rows.length === 0) return 0;
  const batch = crypto.randomUUID();
  const lines = rows.map((row) => lineDigest(row));
  await tx.insert(erasedEntriesTable).values(
    rows.map(({ id, era, xid }, i) => ({
      ...{ id: Number(id), era: Number(era), xid, batch },
      line: lines[i] as string,
    })),
  );
  // Passes the times too: each entry is in one partition.
  const gone = JSON.stringify(rows.map(({ id, at: said }) => ({ id, at: said })));
  await tx.execute(sql`SELECT audit.erase_entries(${gone}::jsonb)`);
  const data: ErasureRecord = { batch, count: rows.length, lines: linesDigest(lines) };
  await recordAuditEntry(tx, { by: { userId: null }, action: "log_erased", at, data });
  return rows.length;
}

function keptEntryCondition({ actions, stands }: NonNullable<SealedRecords["kept"]>): SQL {
  return sql`AND NOT (e.action IN (SELECT jsonb_array_elements_text(${JSON.stringify(actions)}::jsonb)) AND ${stands})`;
}

/** One batch of entries in the log's order, from blocks that are entirely old enough. */
async function oldLines(tx: Tx, { actions, olderThan, kept = [] }: OutdatedEntries): Promise<Line[]> {
  const rows = await tx.execute<Line>(sql`
    WITH old AS (
      SELECT to_era, to_xid FROM audit.blocks WHERE sealed_at < ${olderThan.toISOString()}::timestamptz
      ORDER BY sealed_at DESC, n DESC LIMIT 1
    ), early AS (
      SELECT coalesce(max(n), 0) AS n FROM audit.blocks WHERE form = 1
    ), chosen AS (
      SELECT e.id, e.at FROM audit.entries e, old, early
      WHERE e.action IN (SELECT jsonb_array_elements_text(${JSON.stringify(actions)}::jsonb))
        AND e.at < ${olderThan.toISOString()}::timestamptz
        AND (e.era, e.xid) < (old.to_era, old.to_xid)
        AND NOT EXISTS (SELECT FROM audit.blocks b WHERE b.n = early.n AND (e.era, e.xid) < (b.to_era, b.to_xid))
        ${sql.join(kept.map(keptEntryCondition), sql` `)}
      LIMIT ${BATCH}
    )
    SELECT ${lineColumns} FROM audit.entries e WHERE (e.id, e.at) IN (SELECT id, at FROM chosen)
    ORDER BY e.era, e.xid, e.id`);
  return [...rows];
}
