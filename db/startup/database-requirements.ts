import type { Sql } from "postgres";
import { log } from "../log.ts";
import { readJournal } from "../migrate/journal.ts";

/** The first major version whose partitioned tables can number their rows (migration 0038). */
const OLDEST = 17;
/** Deadlines follow the database's time. A machine whose clock differs by more than this (ms) has another problem. */
const CLOCK_MS = 60_000;

type DatabaseFacts = {
  version: number;
  encoding: string;
  may: boolean;
  standby: boolean;
  readonly: string;
  ms: number;
};

/** Why Midman cannot run on this database, a line each; empty if it can. Lesser problems are only logged. */
export async function findDatabaseProblems(client: Sql, setting = "DATABASE_URL"): Promise<string[]> {
  const [about] = await client<DatabaseFacts[]>`
    SELECT current_setting('server_version_num')::int / 10000 AS version,
      pg_encoding_to_char(encoding) AS encoding,
      has_database_privilege(current_database(), 'CREATE') AS may,
      pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS readonly,
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms
    FROM pg_database WHERE datname = current_database()`;
  if (about === undefined) return [`${setting}: the database does not report its version and encoding`];
  const off = Math.abs(about.ms - Date.now());
  if (off > CLOCK_MS) {
    log().warn(
      { seconds: Math.round(off / 1_000) },
      "this machine's clock differs from the database's, which Midman uses",
    );
  }
  await warnIfNewer(client);
  const reasons: Array<[boolean, string]> = [
    [about.version < OLDEST, `its Postgres is ${about.version}; the oldest supported is ${OLDEST}`],
    [about.encoding !== "UTF8", `its encoding is ${about.encoding} and must be UTF8`],
    [about.standby || about.readonly === "on", "nothing can be written to it (a standby, or read-only)"],
    [!about.may, "its user may not create schemas (GRANT CREATE ON DATABASE)"],
  ];
  return reasons.flatMap(([is, why]) => (is ? [`${setting}: ${why}`] : []));
}

/** True for a database that any version of Midman has run on. */
export async function isMigrated(client: Sql): Promise<boolean> {
  const [table] = await client`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS there`;
  return table?.there === true;
}

/** Warns after a downgrade, or while a newer version replaces this one. The version before each migration survives it. */
async function warnIfNewer(client: Sql): Promise<void> {
  if (!(await isMigrated(client))) return;
  const [last] = await client<{ when: string }[]>`
    SELECT max(created_at)::text AS when FROM drizzle.__drizzle_migrations`;
  const known = readJournal().at(-1)?.when ?? 0;
  if (Number(last?.when ?? 0) > known)
    log().warn("the database was migrated by a newer version than this one");
}
