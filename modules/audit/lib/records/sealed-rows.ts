import { type SQL, sql } from "drizzle-orm";
import { db, type Executor, runInTransaction, type Tx } from "#db/client";
import type { AuditAction } from "#locales";
import { recordAuditEntry } from "../entries/record-entry.ts";
import { areEarlierSealed, NAMED, recordEarlierSealed } from "./record-digests.ts";
import { type RecordsChecked, registerSealedRecords, type SealedRecords } from "./record-registry.ts";

/** Rows that the catch-up locks in one transaction; one entry holds their digests. */
const ROWS_PER_BATCH = 500;

/**
 * Rows of a module that change, such as trades: each entry that tells of a change holds, as `data.digest`, the digest of the row after it.
 * Whoever changes a row holds its lock until the transaction ends, so that the latest entry is the one of the latest change.
 */
export type SealedRows = {
  name: SealedRecords["name"];
  /** What one row is called where it is named to an operator. */
  label: string;
  table: SQL;
  /** The digest of a row `r` of the table. */
  digest: SQL;
  /** Whether an entry `e` tells of a change of a row. */
  entryMatches: SQL;
  /** The id of the row that such an entry tells of, as text. */
  rowIdOfEntry: SQL;
  /** The action of the entries that hold the digests of many rows from before digests were kept. */
  bulkAction: AuditAction;
};

/** Has `verify` compare such rows with the log; a module says so as it is loaded. */
export function registerSealedRows(rows: SealedRows): void {
  const { name } = rows;
  registeredRows.set(rows.label, rows);
  registerSealedRecords({
    name,
    check: (tx) => checkRows(tx, rows),
    sealEarlier: (at) => sealEarlier(rows, at),
  });
}

const registeredRows = new Map<string, SealedRows>();

/** What rows of each kind are called, for `acceptRow`. */
export function rowLabels(): string[] {
  return [...registeredRows.keys()].sort();
}

/**
 * Puts a row as it stands into the log, in an entry of its own: the operator has looked at what was altered in the database and takes it as it
 * is, or has repaired it there. `label` is one of `rowLabels`. Answers false where there is no such row.
 */
export function acceptRow(label: string, id: number, at: Date): Promise<boolean> {
  const rows = registeredRows.get(label);
  if (rows === undefined) throw new Error(`audit: no records are called ${label}`);
  return runInTransaction((tx) => sealBatch(tx, rows, [id], at));
}

/** SQL for the digest of one row as it stands at that point of the transaction, for `record`. */
export function digestOfRow({ table, digest }: SealedRows, id: number): SQL {
  return sql`(SELECT ${digest} FROM ${table} r WHERE r.id = ${id}::bigint)`;
}

/** A row is not as the log last told: nothing is done with it, or the next entry would hide that it was altered. */
export class RecordAltered extends Error {
  override name = "RecordAltered";
}

/**
 * Throws RecordAltered where a row, which the caller has locked and not changed yet, is not as the latest entry about it says, or where none
 * tells of it. What an older version wrote without a digest passes. The nightly check names the row to administrators; it is asked for at once.
 */
export async function refuseAltered(tx: Tx, rows: SealedRows, id: number): Promise<void> {
  if (await isAltered(tx, rows, id))
    throw new RecordAltered(`${rows.label} ${id} is not as the log last told`);
}

/** True where `refuseAltered` throws, for what must go on without the row. */
export async function isAltered(tx: Tx, rows: SealedRows, id: number): Promise<boolean> {
  const { table, digest, entryMatches, rowIdOfEntry } = rows;
  const [row] = await tx.execute<{
    writtenHere: boolean;
    currentDigest: string;
    loggedDigest: string | null;
    hasEntry: boolean;
  }>(sql`
    SELECT r.xmin = pg_current_xact_id()::xid AS "writtenHere", ${digest} AS "currentDigest", l.digest AS "loggedDigest",
      l.found IS TRUE AS "hasEntry"
    FROM ${table} r LEFT JOIN LATERAL (
      SELECT e.data->>'digest' AS digest, true AS found FROM audit.entries e
      WHERE ${entryMatches} AND ${rowIdOfEntry} = r.id::text ORDER BY e.id DESC LIMIT 1
    ) l ON true WHERE r.id = ${id}::bigint`);
  // A row that this transaction wrote is told of before it commits.
  if (row === undefined || row.writtenHere || row.currentDigest === row.loggedDigest) return false;
  if (row.hasEntry && row.loggedDigest === null) return false;
  // From before digests were kept, or put into the log by hand: an entry about many rows tells of it.
  const [bulk] = await tx.execute<{ digest: string | null }>(
    sql`SELECT digest FROM ${latestDigests(rows)} l WHERE l.id = ${id}::bigint`,
  );
  if (bulk === undefined) return areEarlierSealed(tx, rows.bulkAction);
  return bulk.digest !== row.currentDigest;
}

/** The digest in the latest entry about each row, as a subquery: `id`, `digest` (null where an older version wrote the entry). */
function latestDigests({ rowIdOfEntry, entryMatches, bulkAction }: SealedRows): SQL {
  return sql`(
    SELECT DISTINCT ON (id) id::bigint AS id, digest FROM (
      SELECT ${rowIdOfEntry} AS id, e.data->>'digest' AS digest, e.id AS entry FROM audit.entries e WHERE ${entryMatches}
      UNION ALL
      SELECT d.key, d.value, e.id FROM audit.entries e, jsonb_each_text(e.data->'digests') d
      WHERE e.action = ${bulkAction} AND e.data ? 'digests'
    ) entries
    WHERE id ~ '^[0-9]{1,18}$' ORDER BY id, entry DESC)`;
}

/** Compares every row with the log in one statement; names those that are not as the log last told, or of which it tells nothing. */
async function checkRows(tx: Tx, rows: SealedRows): Promise<RecordsChecked> {
  const complete = await areEarlierSealed(tx, rows.bulkAction);
  const [row] = await tx.execute<{ proved: string; waiting: string; wrong: string; found: string[] | null }>(
    sql`
    WITH compared AS (
      SELECT coalesce(r.id, l.id) AS id, CASE
        WHEN r.id IS NULL THEN 'removed'
        WHEN l.id IS NULL THEN CASE WHEN ${complete}::boolean THEN 'added' ELSE 'waiting' END
        WHEN l.digest IS NULL THEN 'waiting'
        WHEN ${rows.digest} <> l.digest THEN 'altered'
        ELSE 'proved' END AS state
      FROM ${rows.table} r FULL JOIN ${latestDigests(rows)} l ON r.id = l.id
    )
    SELECT count(*) FILTER (WHERE state = 'proved')::text AS proved, count(*) FILTER (WHERE state = 'waiting')::text AS waiting,
      count(*) FILTER (WHERE state IN ('removed', 'added', 'altered'))::text AS wrong,
      (SELECT array_agg(what) FROM (
        SELECT format('%s %s was %s', ${rows.label}::text, id, state) AS what FROM compared
        WHERE state IN ('removed', 'added', 'altered') ORDER BY id LIMIT ${NAMED}) first_few) AS found
    FROM compared`,
  );
  if (row === undefined) throw new Error(`audit: no ${rows.name} were compared`);
  const [proved, waiting, wrong] = [Number(row.proved), Number(row.waiting), Number(row.wrong)];
  return { proved, waiting, wrong, found: row.found ?? [] };
}

/** Puts the rows from before digests were kept into the log, and those that an older version, running beside, changed last. */
async function sealEarlier(rows: SealedRows, at: Date): Promise<void> {
  const ids = await findUnsealedRows(db(), rows);
  for (let from = 0; from < ids.length; from += ROWS_PER_BATCH) {
    const batch = ids.slice(from, from + ROWS_PER_BATCH);
    await runInTransaction((tx) => sealBatch(tx, rows, batch, at));
  }
  await runInTransaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`audit.${rows.name}`}))`);
    if (!(await areEarlierSealed(tx, rows.bulkAction))) {
      await recordEarlierSealed(tx, rows.bulkAction, at, ids.length);
    }
  });
}

/** The rows whose latest entry holds no digest and, until the catch-up has been completed once, those that have no entry. */
async function findUnsealedRows(exec: Executor, rows: SealedRows): Promise<number[]> {
  const complete = await areEarlierSealed(exec, rows.bulkAction);
  const found = await exec.execute<{ id: string }>(sql`
    SELECT r.id FROM ${rows.table} r LEFT JOIN ${latestDigests(rows)} l ON l.id = r.id
    WHERE l.digest IS NULL AND (l.id IS NOT NULL OR NOT ${complete}::boolean) ORDER BY r.id`);
  return found.map(({ id }) => Number(id));
}

/** Whoever changes one of the rows meanwhile comes before or after: under the locks, what stands is what the latest entry must say. */
async function sealBatch(tx: Tx, rows: SealedRows, ids: readonly number[], at: Date): Promise<boolean> {
  const these = sql`r.id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::bigint)`;
  await tx.execute(sql`SELECT FROM ${rows.table} r WHERE ${these} ORDER BY r.id FOR UPDATE`);
  const [row] = await tx.execute<{ digests: Record<string, string> | null }>(
    sql`SELECT jsonb_object_agg(r.id, ${rows.digest}) AS digests FROM ${rows.table} r WHERE ${these}`,
  );
  await recordAuditEntry(tx, {
    by: { userId: null },
    action: rows.bulkAction,
    at,
    data: { digests: row?.digests ?? {} },
  });
  return row?.digests != null;
}
