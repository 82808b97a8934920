import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { noPartition } from "./partition-filter.ts";

/** Every row of every table as text, by table. */
export async function readEveryRow(): Promise<Map<string, string>> {
  const tables = await db().execute<{ name: string }>(sql`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') AND ${noPartition} ORDER BY 1`);
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await db().execute<{ row: string }>(sql.raw(`SELECT t::text AS row FROM ${name} AS t`));
    found.set(name, rows.map(({ row }) => row).join("\n"));
  }
  return found;
}

/** The tables that hold any of these texts, in whatever case. */
export async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => text.toLowerCase());
  const found = [...(await readEveryRow())].map(([name, rows]) => [name, rows.toLowerCase()] as const);
  return found.filter(([, rows]) => wanted.some((text) => rows.includes(text))).map(([name]) => name);
}
