import type { Tx } from "../client.ts";
import { driverTransactionOf } from "./driver-transaction.ts";

/** Midman's schemas: what a backup contains, and what must not exist where one is restored. */
export const midmanSchemas = [
  "drizzle",
  "base",
  "audit",
  "mailer",
  "identity",
  "rooms",
  "payments",
  "escrow",
  "sandbox",
  "pgboss",
] as const;

/**
 * Tables that a backup leaves out: throttled attempts and queue statistics, which a restored database does not need, and the mark of an
 * unfinished restore.
 */
const excludedTables = ["base.throttle", "base.unfinished_restore", "pgboss.queue_stats", "pgboss.warning"];

/** A table to copy: `schema.name` quoted where necessary, and the columns that are written, also quoted. */
export type Table = { name: string; columns: string[] };

/** The tables that a backup contains: ordinary and partitioned ones. Partitions are read and written through their parent. */
export async function listTables(tx: Tx): Promise<Table[]> {
  const rows = await driverTransactionOf(tx)<Table[]>`
    SELECT format('%I.%I', n.nspname, c.relname) AS name,
      (SELECT array_agg(quote_ident(attname) ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ${driverTransactionOf(tx)(midmanSchemas)} AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ORDER BY n.nspname, c.relname`;
  return rows.filter(({ name }) => !excludedTables.includes(name));
}

/** A table's row count and the sum of its rows' digests. Equal rows give an equal sum in any order. */
export async function contentOf(tx: Tx, { name, columns }: Table): Promise<{ rows: number; sum: string }> {
  const [row] = await driverTransactionOf(tx).unsafe<Array<{ rows: string; sum: string }>>(`
    SELECT count(*)::text AS rows, coalesce(sum(
      ('x' || encode(substr(sha256(convert_to(ROW(${columns.join(", ")})::text, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
    ), 0)::text AS sum FROM ${name}`);
  if (row === undefined) throw new Error(`backup: ${name} cannot be counted`);
  return { rows: Number(row.rows), sum: row.sum };
}

/** A sequence's state. `numbers`: it numbers the rows of one of Midman's tables. */
export type Sequence = { name: string; last: string; called: boolean; numbers: boolean };

/** The state of all sequences. Sequences are not part of a snapshot: read after the rows, each is past every row's number. */
export async function listSequences(tx: Tx): Promise<Sequence[]> {
  const rows = await driverTransactionOf(tx)<Array<{ name: string; numbers: boolean }>>`
    SELECT format('%I.%I', n.nspname, c.relname) AS name,
      EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'i') AS numbers
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ${driverTransactionOf(tx)(midmanSchemas)} AND c.relkind = 'S' ORDER BY 1`;
  const found: Sequence[] = [];
  for (const { name, numbers } of rows) {
    const [at] = await driverTransactionOf(tx).unsafe<Array<{ last: string; called: boolean }>>(
      `SELECT last_value::text AS last, is_called AS called FROM ${name}`,
    );
    if (at !== undefined) found.push({ name, numbers, ...at });
  }
  return found;
}

/** The first and the last time of a partitioned table's rows. */
export type Span = { name: string; from: string; to: string };

/** The time spans of the tables that are partitioned by time and hold rows. */
export async function listTimeSpans(tx: Tx): Promise<Span[]> {
  const parted = await driverTransactionOf(tx)<Array<{ name: string; key: string }>>`
    SELECT format('%I.%I', n.nspname, c.relname) AS name, quote_ident(a.attname) AS key
    FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
    WHERE n.nspname IN ${driverTransactionOf(tx)(midmanSchemas)} AND p.partstrat = 'r' AND p.partdefid <> 0`;
  const found: Span[] = [];
  for (const { name, key } of parted) {
    const [row] = await driverTransactionOf(tx).unsafe<Array<{ from: string | null; to: string | null }>>(
      `SELECT min(${key})::text AS from, max(${key})::text AS to FROM ${name}`,
    );
    if (row?.from && row.to) found.push({ name, from: row.from, to: row.to });
  }
  return found;
}
