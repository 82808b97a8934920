import { type SQL, sql } from "drizzle-orm";
import { db, type Executor, runInTransaction, type Tx } from "#db/client";
import type { AuditAction } from "#locales";
import { recordAuditEntry } from "../entries/record-entry.ts";
import { areEarlierSealed, maxNamedRecords, recordEarlierSealed } from "./record-digests.ts";
import { type RecordsChecked, registerSealedRecords, type SealedRecords } from "./record-registry.ts";

/** How many rows the catch-up locks in one transaction; one entry holds their digests. */
const ROWS_PER_BATCH = 500;

/**
 * Rows of a module that change, such as trades: each entry about a change holds, as `data.digest`, the digest of the row after the change.
 * Code that changes a row holds its lock until the transaction ends, so that the latest entry is about the latest change.
 */
export type SealedRows = {
  name: SealedRecords["name"];
  /** The name of one row in messages to an operator. */
  label: string;
  table: SQL;
  /** SQL for the digest of a row `r` of the table. */
  digest: SQL;
  /** SQL condition: an entry `e` is about a change of such a row. */
  entryMatches: SQL;
  /** SQL for the id of the row that such an entry is about, as text. */
  rowIdOfEntry: SQL;
  /** The action of the entries that hold the digests of many rows from before digests were kept. */
  bulkAction: AuditAction;
};

/** Registers rows that `verify` compares with the log; a module does so when it is loaded. */
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

/** The labels of all registered kinds of rows, for `acceptRow`. */
export function rowLabels(): string[] {
  return [...registeredRows.keys()].sort();
}

/**
 * Adds the current digest of a row to the log, in an entry of its own: the operator has checked what was altered in the database and
 * accepts it, or has repaired the row there. `label` is one of `rowLabels`. Returns false if there is no such row.
 */
export function acceptRow(label: string, id: number, at: Date): Promise<boolean> {
  const rows = registeredRows.get(label);
  if (rows === undefined) throw new Error(`audit: no records are called ${label}`);
  return runInTransaction((tx) => sealBatch(tx, rows, [id], at));
}

/** SQL for the digest of one row at that point of the transaction, for `recordAuditEntry`. */
export function digestOfRow({ table, digest }: SealedRows, id: number): SQL {
  return sql`(SELECT ${digest} FROM ${table} r WHERE r.id = ${id}::bigint)`;
}

/** A row differs from its last audit entry: no step may change it, because the next entry would hide the alteration. */
export class RecordAltered extends Error {
  override name = "RecordAltered";
}

/**
 * Throws RecordAltered if a row, which the caller has locked and not changed yet, does not match its latest entry, or if it has none. A row
 * whose latest entry an older version wrote without a digest passes. The verification of the log, which is then enqueued at once, names the
 * row to administrators.
 */
export async function refuseAltered(tx: Tx, rows: SealedRows, id: number): Promise<void> {
  if (await isAltered(tx, rows, id))
    throw new RecordAltered(`${rows.label} ${id} is not as the log last told`);
}

/** True where `refuseAltered` would throw, for code that must go on without the row. */
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
  // A row that this transaction wrote gets its entry before the transaction commits.
  if (row === undefined || row.writtenHere || row.currentDigest === row.loggedDigest) return false;
  if (row.hasEntry && row.loggedDigest === null) return false;
  // A row from before digests were kept, or accepted by the operator: an entry about many rows has its digest.
  const [bulk] = await tx.execute<{ digest: string | null }>(
    sql`SELECT digest FROM ${latestDigests(rows)} l WHERE l.id = ${id}::bigint`,
  );
  if (bulk === undefined) return areEarlierSealed(tx, rows.bulkAction);
  return bulk.digest !== row.currentDigest;
}

/** SQL subquery of the digest in the latest entry about each row: `id`, `digest` (null if an older version wrote the entry). */
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

/**
 * Compares every row with the log in one statement; names rows that do not match their latest entry or have none, and rows that were
 * removed.
 */
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
        WHERE state IN ('removed', 'added', 'altered') ORDER BY id LIMIT ${maxNamedRecords}) first_few) AS found
    FROM compared`,
  );
  if (row === undefined) throw new Error(`audit: no ${rows.name} were compared`);
  const [proved, waiting, wrong] = [Number(row.proved), Number(row.waiting), Number(row.wrong)];
  return { proved, waiting, wrong, found: row.found ?? [] };
}

/**
 * Adds to the log the digests of rows from before digests were kept, and of rows that an older version, running beside this one, changed
 * last.
 */
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

/** Ids of the rows whose latest entry holds no digest and, until the catch-up has completed once, of those without an entry. */
async function findUnsealedRows(exec: Executor, rows: SealedRows): Promise<number[]> {
  const complete = await areEarlierSealed(exec, rows.bulkAction);
  const found = await exec.execute<{ id: string }>(sql`
    SELECT r.id FROM ${rows.table} r LEFT JOIN ${latestDigests(rows)} l ON l.id = r.id
    WHERE l.digest IS NULL AND (l.id IS NOT NULL OR NOT ${complete}::boolean) ORDER BY r.id`);
  return found.map(({ id }) => Number(id));
}

/**
 * Writes one entry with the digests of some rows, under their locks: any other change of these rows is entirely before or after it. Returns
 * false if none of the rows exists.
 */
async function sealBatch(tx: Tx, rows: SealedRows, ids: readonly number[], at: Date): Promise<boolean> {
  const these = sql`r.id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::bigint)`;
  await tx.execute(sql`SELECT FROM ${rows.table} r WHERE ${these} ORDER BY r.id FOR UPDATE`);
  const [row] = await tx.execute<{ digests: Record<string, string> | null }>(
    sql`SELECT jsonb_object_agg(r.id, ${rows.digest}) AS digests FROM ${rows.table} r WHERE ${these}`,
  );
  if (row?.digests == null) return false;
  await recordAuditEntry(tx, {
    by: { userId: null },
    action: rows.bulkAction,
    at,
    data: { digests: row.digests },
  });
  return true;
}
