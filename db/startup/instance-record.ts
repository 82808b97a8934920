import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { sql } from "drizzle-orm";
import { config, publicUrl } from "#config";
import { version } from "../../package.json";
import { db } from "../client.ts";
import { dataPath } from "../files/data-directory.ts";
import { GAP_MS, lastBeatAt } from "./heartbeat.ts";

/** Records the address, the version and the start time of an instance that serves this database. */
export async function rememberInstance(at: Date): Promise<void> {
  await db().execute(sql`
    INSERT INTO base.instance (public_url, version, started_at) VALUES (${publicUrl()}, ${version}, ${at.toISOString()})
    ON CONFLICT (single) DO UPDATE
    SET public_url = excluded.public_url, version = excluded.version, started_at = excluded.started_at`);
}

/**
 * Describes the database that a command acts on, a line each: its kind, host and name; whose data they are; and a warning if no instance
 * has served it lately, because a command on an abandoned database changes nothing that people see.
 */
export async function databaseLines(at: Date): Promise<string[]> {
  const lines = [`Database: ${placeWords()}`];
  const [table] = await db().execute<{ there: boolean }>(
    sql`SELECT to_regclass('base.instance') IS NOT NULL AND to_regclass('base.heartbeat') IS NOT NULL AS there`,
  );
  if (!table?.there) return lines;
  const [instance] = await db().execute<{ url: string }>(sql`SELECT public_url AS url FROM base.instance`);
  if (instance !== undefined) lines.push(`It holds the data of ${instance.url}.`);
  const last = await lastBeatAt();
  if (last === undefined) lines.push("WARNING: no instance has ever served this database.");
  else if (!isRecent(last, at)) {
    const since = `${last.toISOString().slice(0, 16).replace("T", " ")} UTC`;
    lines.push(
      `WARNING: no instance has served this database since ${since}. If Midman runs, it runs on another one.`,
    );
  }
  return lines;
}

/** True if an instance recorded within the last minutes that it runs on this database. */
export async function isServed(at: Date): Promise<boolean> {
  const last = await lastBeatAt();
  return last !== undefined && isRecent(last, at);
}

const isRecent = (last: Date, at: Date) => at.getTime() - last.getTime() <= GAP_MS;

/** The database's name for messages, never with a password. */
function placeWords(): string {
  const { DATABASE_URL, DATA_DIR } = config();
  if (DATABASE_URL === undefined) return `embedded, in ${resolve(DATA_DIR)}`;
  const { host, pathname } = new URL(DATABASE_URL);
  return `Postgres at ${decodeURIComponent(host)}, named ${decodeURIComponent(pathname.slice(1))}`;
}

const noteName = "database-elsewhere";

/**
 * Why DATA_DIR and DATABASE_URL conflict, in one line: DATA_DIR contains an embedded database that DATABASE_URL leaves unused. A command
 * run there without DATABASE_URL would act on that old database.
 */
export function unusedEmbeddedReason(): string | undefined {
  const { DATABASE_URL, DATA_DIR } = config();
  if (DATABASE_URL === undefined) return undefined;
  const folder = existsSync(DATA_DIR) && readdirSync(DATA_DIR).find((name) => /^postgres-\d+$/.test(name));
  return folder
    ? `DATABASE_URL: ${resolve(DATA_DIR, folder)} holds an embedded database that would be left unused. If its data were moved, rename that folder; if not, unset DATABASE_URL`
    : undefined;
}

/**
 * Records in DATA_DIR that its data are in DATABASE_URL, for a later start without that setting. A folder that never held a database or a
 * key of its own gets no note.
 */
export function recordMovedDatabase(at: Date): void {
  const { DATABASE_URL, DATA_DIR } = config();
  if (DATABASE_URL === undefined || !existsSync(DATA_DIR)) return;
  if (!readdirSync(DATA_DIR).some((name) => /^(?:postgres-\d+.*|encryption-key)$/.test(name))) return;
  writeFileSync(dataPath(noteName), `${placeWords()}, since ${at.toISOString().slice(0, 10)}\n`, {
    mode: 0o600,
  });
}

/** Why no embedded database may be opened in DATA_DIR, in one line: the data are elsewhere. */
export function movedDatabaseReason(): string | undefined {
  const path = resolve(config().DATA_DIR, noteName);
  if (!existsSync(path)) return undefined;
  const where = readFileSync(path, "utf8").trim();
  return `DATABASE_URL: is not set, and the data of ${resolve(config().DATA_DIR)} are elsewhere (${where}). Set it as the service has it; to start with an empty embedded database, remove ${path}`;
}
