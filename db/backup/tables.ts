import type { Tx } from "../client.ts";
import { driverTransactionOf } from "./driver-transaction.ts";

/** The schemas that are Midman's: what a backup takes along, and what must not be there when one is restored. */
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

/** Attempts that were counted and figures of queues, which a database that was away would not miss, and the mark of a restore under way. */
const excludedTables = ["base.throttle", "base.unfinished_restore", "pgboss.queue_stats", "pgboss.warning"];

/** A table as it is copied: `schema.name` quoted where it must be, with the columns that are written, quoted too. */
export type Table = { name: string; columns: string[] };

/** The tables a backup holds: ordinary and parted ones; partitions are read and written through their parent. */
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

/** How many rows a table has, and a sum over all their digests: equal where the rows are, in whatever order they lie. */
export async function contentOf(tx: Tx, { name, columns }: Table): Promise<{ rows: number; sum: string }> {
  const [row] = await driverTransactionOf(tx).unsafe<Array<{ rows: string; sum: string }>>(`
    SELECT count(*)::text AS rows, coalesce(sum(
      ('x' || encode(substr(sha256(convert_to(ROW(${columns.join(", ")})::text, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
    ), 0)::text AS sum FROM ${name}`);
  if (row === undefined) throw new Error(`backup: ${name} cannot be counted`);
  return { rows: Number(row.rows), sum: row.sum };
}

/** A sequence's place. `numbers`: it gives the numbers of one of our own tables. */
export type Sequence = { name: string; last: string; called: boolean; numbers: boolean };

/** Where the sequences stand. They move outside of snapshots: read after the rows they are beyond every one of them. */
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

/** From when to when the rows of a table that is parted by time are. */
export type Span = { name: string; from: string; to: string };

/** The spans of the tables that are parted by time and hold rows. */
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
