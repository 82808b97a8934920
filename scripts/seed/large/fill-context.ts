import type { Sql } from "postgres";
import type { Sizes } from "./fill-large.ts";

/** What is filled: one connection, the sizes, and the last existing id of each kind. */
export type FillContext = { sql: Sql; sizes: Sizes; users: number; rooms: number; trades: number };

/** Reserves `count` ids of a table. Returns the id before the first. */
export async function reserveIds(sql: Sql, name: string, count: number): Promise<number> {
  const [row] = await sql`
    WITH taken AS (SELECT pg_get_serial_sequence(${name}, 'id')::regclass AS ids)
    SELECT setval(ids, nextval(ids) + ${count} - 1) - ${count} AS before FROM taken`;
  return Number(row?.before);
}

/** Runs work over 1 … `count`, in batches of `part`, each in a transaction of its own. */
export async function inParts(
  sql: Sql,
  count: number,
  part: number,
  work: (tx: Sql, from: number, to: number) => Promise<void>,
): Promise<void> {
  for (let from = 1; from <= count; from += part) {
    await sql.begin((tx) => work(tx as unknown as Sql, from, Math.min(from + part - 1, count)));
  }
}
