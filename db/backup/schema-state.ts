import { readMigrationFiles } from "drizzle-orm/migrator";
import { getConstructionPlans } from "pg-boss";
import type { Tx } from "../client.ts";
import { SCHEMA } from "../jobs/pg-boss.ts";
import {
  applyEarlierUntil,
  carryOverFrom,
  earlierMigrations,
  isEarlierMigration,
  recordMigration,
} from "../migrate/carry-over.ts";
import { migrationsFolder, readJournal } from "../migrate/journal.ts";
import { driverTransactionOf } from "./driver-transaction.ts";
import type { Header } from "./manifest.ts";
import { midmanSchemas } from "./tables.ts";

type SchemaState = Pick<Header, "migration" | "boss">;

/** The migrations of this program, oldest first, including those before 1.0, which restore archives from before 1.0. */
export function listMigrations(): Array<Header["migration"]> {
  return [...earlierMigrations, ...readJournal()];
}

/** The latest migration of this program. */
export function latestMigration(): Header["migration"] {
  const last = listMigrations().at(-1);
  if (last === undefined) throw new Error("backup: there are no migrations");
  return last;
}

/** Which of Midman's schemas exist; none in an empty database. */
export async function findPresentSchemas(tx: Tx): Promise<string[]> {
  const rows = await driverTransactionOf(tx)<Array<{ name: string }>>`
    SELECT nspname AS name FROM pg_namespace WHERE nspname IN ${driverTransactionOf(tx)(midmanSchemas)} ORDER BY 1`;
  return rows.map(({ name }) => name);
}

/** The versions of the database's own tables and of pg-boss's; undefined if they do not exist. */
export async function readSchemaState(tx: Tx): Promise<SchemaState | undefined> {
  if ((await findPresentSchemas(tx)).length < midmanSchemas.length) return undefined;
  const [row] = await driverTransactionOf(tx)<Array<{ when: string | null }>>`
    SELECT max(created_at)::text AS when FROM drizzle.__drizzle_migrations`;
  if (!row?.when) return undefined;
  const when = Number(row.when);
  const tag =
    listMigrations().find((one) => one.when === when)?.tag ??
    `one of ${new Date(when).toISOString()}, unknown here`;
  return { migration: { tag, when }, boss: await bossVersion(tx) };
}

async function bossVersion(tx: Tx): Promise<number> {
  const [row] = await driverTransactionOf(tx).unsafe<Array<{ version: number }>>(
    `SELECT version FROM ${SCHEMA}.version`,
  );
  if (row === undefined) throw new Error("backup: pg-boss has no version");
  return row.version;
}

/**
 * Creates the tables of an empty database as a migration left them, without the rows that migrations insert. `tx` must be the transaction
 * that then fills them. Returns the version of pg-boss's tables, which can only be this program's.
 */
export async function makeTables(tx: Tx, until: number): Promise<{ boss: number }> {
  await driverTransactionOf(tx).unsafe(`CREATE SCHEMA drizzle;
    CREATE TABLE drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)`);
  if (isEarlierMigration(until)) await applyEarlierUntil(driverTransactionOf(tx), until);
  else await applyMigrations(tx, (when) => when <= until);
  // pg-boss wraps its statements in a transaction of their own, whose COMMIT would end this one.
  const plans = getConstructionPlans(SCHEMA).trim();
  const inner = /^BEGIN;([\s\S]*)COMMIT;$/.exec(plans)?.[1];
  if (inner === undefined || /\b(BEGIN|COMMIT);/.test(inner))
    throw new Error("backup: pg-boss makes its tables otherwise");
  await driverTransactionOf(tx).unsafe(inner);
  return { boss: await bossVersion(tx) };
}

/** Applies the migrations that come after the given one, and records them. */
export async function migrateFurther(tx: Tx, from: number): Promise<void> {
  const applied = isEarlierMigration(from) ? await carryOverFrom(driverTransactionOf(tx), from) : from;
  await applyMigrations(tx, (when) => when > applied);
}

async function applyMigrations(tx: Tx, which: (when: number) => boolean): Promise<void> {
  for (const { sql, folderMillis, hash } of readMigrationFiles({ migrationsFolder })) {
    if (!which(folderMillis)) continue;
    for (const statements of sql) await driverTransactionOf(tx).unsafe(statements);
    await recordMigration(driverTransactionOf(tx), hash, folderMillis);
  }
}
