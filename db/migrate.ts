import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import { ensureApplicationRole } from "./access/application-role.ts";
import { grantApplication } from "./access/grants.ts";
import { openClient } from "./client.ts";
import { migrateBoss } from "./jobs/pg-boss.ts";
import { carryOver, migrationError } from "./migrate/carry-over.ts";

/** The hand-written SQL, in the order of its journal. */
export const migrationsFolder = join(import.meta.dir, "migrations");

/** Any fixed number will do; all instances must use the same, and whoever restores a backup. */
export const LOCK = 6_451_202_611;

/**
 * Brings a database up to date; one from before 1.0 is carried over first. Several instances may call it at once: each waits for the one before it under an
 * advisory lock, on one connection, since the lock belongs to the connection. The role of `applicationUrl`, made if need be, is then
 * given what it needs (`grants.ts`); without one the owner is the application too.
 */
export async function migrateDatabase(ownerUrl: string, applicationUrl?: string): Promise<void> {
  const client = openClient(ownerUrl, { max: 1 });
  try {
    await client`SELECT pg_advisory_lock(${LOCK})`;
    await client.begin(carryOver);
    await applyMigrations(drizzle(client), { migrationsFolder }).catch(rethrowWithLine);
    await migrateBoss((text, values) => client.unsafe(text, values as never[]));
    if (applicationUrl === undefined) return;
    await ensureApplicationRole(client, applicationUrl);
    await grantApplication(client, applicationUrl);
  } finally {
    await client.end();
  }
}

/** Says which file failed and where, instead of repeating its whole text. */
function rethrowWithLine(error: unknown): never {
  if (!(error instanceof DrizzleQueryError)) throw error;
  const file = readdirSync(migrationsFolder).find(
    (name) => name.endsWith(".sql") && readFileSync(join(migrationsFolder, name), "utf8") === error.query,
  );
  throw migrationError(
    file ?? "?",
    error.query,
    error.cause as { message: string; position?: string } | undefined,
  );
}
