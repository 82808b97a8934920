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
import { migrationsFolder } from "./migrate/journal.ts";

/** The advisory lock of migrations. Any fixed number would do, but all instances, and a restore, must use the same one. */
export const LOCK = 6_451_202_611;

/**
 * Brings a database up to date; a database from before 1.0 is carried over first. Several instances may call it at once: each waits for the
 * previous one under an advisory lock, on one connection, because the lock belongs to the connection. Then the role of `applicationUrl` gets
 * its rights (`db/access/grants.ts`); it is created if necessary. Without `applicationUrl` the owner is the application too.
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

/** Names the failed migration and the position in it, instead of repeating its whole text. */
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
