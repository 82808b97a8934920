import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { TransactionSql } from "postgres";
import { type Migration, migrationsFolder, readJournal } from "./journal.ts";

/**
 * Databases and backups from before 1.0. Their migrations stay in `migrations/before-1.0`: each database first gets what it lacks of
 * them, then `carry-over.sql` makes its schema the baseline's.
 */

const earlierFolder = join(migrationsFolder, "before-1.0");
const carryOverFile = "carry-over.sql";
/** The last file of the baseline; later migrations are applied to carried-over and new databases alike. */
const BASELINE_END = "0007_escrow";

/** The migrations before 1.0, oldest first. */
export const earlierMigrations: readonly Migration[] = readJournal(earlierFolder);

/** A transaction of the driver. */
type Transaction = Pick<TransactionSql, "unsafe">;

/** Thrown for a database whose migrations are neither the baseline's nor those before it. */
export class UnknownMigrations extends Error {
  override name = "UnknownMigrations";
}

/**
 * Carries a database from before 1.0 over to the baseline; leaves an empty one and one of 1.0 or later as it is. `tx` must hold the
 * migrations' lock until it ends: either all of it is done or nothing. Throws UnknownMigrations.
 */
export async function carryOver(tx: Transaction): Promise<void> {
  const applied = await readApplied(tx);
  const [first, last] = [applied[0], applied.at(-1)];
  const begins = readJournal()[0]?.when ?? 0;
  if (first === undefined || last === undefined || first >= begins) return;
  if (applied.some((when, place) => earlierMigrations[place]?.when !== when)) {
    throw new UnknownMigrations(
      "The database was migrated by a version of Midman that this one does not know. Nothing was changed. Restore a backup of a known version into an empty database, or name another database.",
    );
  }
  await carryOverFrom(tx, last);
}

/** The moments of a database's migrations, oldest first; none in an empty database. */
async function readApplied(tx: Transaction): Promise<number[]> {
  const [table] = await tx.unsafe("SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS there");
  if (table?.there !== true) return [];
  const rows = await tx.unsafe(
    "SELECT created_at::text AS at FROM drizzle.__drizzle_migrations ORDER BY created_at",
  );
  return rows.map(({ at }) => Number(at));
}

/** True for the moment of a migration before 1.0. */
export function isEarlierMigration(when: number): boolean {
  return earlierMigrations.some((one) => one.when === when);
}

/** Makes the tables of an empty database as they were after one of the migrations before 1.0. */
export async function applyEarlierUntil(tx: Transaction, until: number): Promise<void> {
  await applyEarlier(tx, (when) => when <= until);
}

/**
 * Applies the migrations before 1.0 that came after one, makes the schema the baseline's, and records the baseline as applied. Answers the
 * moment of its last file.
 */
export async function carryOverFrom(tx: Transaction, from: number): Promise<number> {
  await applyEarlier(tx, (when) => when > from);
  await applyFile(tx, carryOverFile);
  await tx.unsafe("DELETE FROM drizzle.__drizzle_migrations");
  const end = readJournal().find(({ tag }) => tag === BASELINE_END)?.when ?? 0;
  for (const { hash, folderMillis } of readMigrationFiles({ migrationsFolder })) {
    if (folderMillis <= end) await recordMigration(tx, hash, folderMillis);
  }
  return end;
}

async function applyEarlier(tx: Transaction, which: (when: number) => boolean): Promise<void> {
  const hashes = new Map(
    readMigrationFiles({ migrationsFolder: earlierFolder }).map((one) => [one.folderMillis, one.hash]),
  );
  for (const { tag, when } of earlierMigrations) {
    if (!which(when)) continue;
    await applyFile(tx, `${tag}.sql`);
    await recordMigration(tx, hashes.get(when) ?? "", when);
  }
}

/** Notes in drizzle's table that a migration was applied. */
export async function recordMigration(tx: Transaction, hash: string, when: number): Promise<void> {
  await tx.unsafe("INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)", [
    hash,
    when,
  ]);
}

async function applyFile(tx: Transaction, name: string): Promise<void> {
  const text = readFileSync(join(earlierFolder, name), "utf8");
  await tx.unsafe(text).catch((error: Error & { position?: string }) => {
    throw migrationError(`before-1.0/${name}`, text, error);
  });
}

/** Names the file and the line of a statement that failed. */
export function migrationError(
  name: string,
  text: string,
  cause: { message: string; position?: string } | undefined,
): Error {
  const line = text.slice(0, Number(cause?.position ?? 0)).split("\n").length;
  return new Error(`Migration ${name}, line ${line}: ${cause?.message}`, { cause });
}
