import { createHmac } from "node:crypto";
import type { Sql } from "postgres";

/** The application's role where Midman creates it itself: in the embedded database and in tests. */
const APPLICATION_ROLE = "midman_app";

/**
 * The address of the application's role in the cluster whose owner has the given address. The password is a keyed hash of the owner's: no
 * further secret is stored, every process derives the same one, and the owner's password cannot be derived from it.
 */
export function applicationUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.password = createHmac("sha256", decodeURIComponent(url.password))
    .update(APPLICATION_ROLE)
    .digest("hex");
  url.username = APPLICATION_ROLE;
  return url.href;
}

/** The role that an address names. */
export function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

const DUPLICATE = ["42710", "23505"];

/**
 * Creates the application's role with the password of its address, if it does not exist and the owner may create it. Throws an error that
 * says what the operator has to do if the owner may not.
 */
export async function ensureApplicationRole(owner: Sql, url: string): Promise<void> {
  const role = roleOf(url);
  const [found] = await owner<Array<{ there: boolean; may: boolean; statement: string }>>`
    SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ${role}) AS there, rolsuper OR rolcreaterole AS may,
      format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L',
        ${role}::text, ${decodeURIComponent(new URL(url).password)}::text) AS statement
    FROM pg_roles WHERE rolname = current_user`;
  if (found === undefined || found.there) return;
  if (!found.may) {
    throw new Error(
      `Midman cannot start.\nDATABASE_URL: its role ${role} does not exist, and the owner may not make it (CREATE ROLE ${role} LOGIN PASSWORD …)`,
    );
  }
  await owner.unsafe(found.statement).catch((error: { code?: string }) => {
    // Roles belong to the whole cluster: an instance on another database of it may have been first.
    if (!DUPLICATE.includes(error.code ?? "")) throw error;
  });
}

type Strength = { role: string; via: string; strength: string };

/**
 * The rights of the connected role beyond what the application's may have, a line each. Empty if it can neither change Midman's tables nor
 * grant itself the right to.
 */
export async function findExcessRights(application: Sql): Promise<string[]> {
  const found = await application<Strength[]>`
    WITH ours AS (
      SELECT oid, nspname, nspowner FROM pg_namespace
      WHERE nspname IN ('base', 'audit', 'mailer', 'identity', 'rooms', 'payments', 'escrow', 'drizzle')
    ), lent AS (
      SELECT oid, rolname, rolsuper, rolcreaterole, rolbypassrls, rolreplication FROM pg_roles
      WHERE rolname = current_user OR pg_has_role(current_user, oid, 'MEMBER') AND NOT EXISTS (
        SELECT FROM pg_roles WHERE rolname = current_user AND rolsuper)
    )
    SELECT DISTINCT current_user::text AS role, lent.rolname::text AS via, found.strength FROM lent, LATERAL (
      SELECT 'is a superuser' AS strength WHERE rolsuper
      UNION ALL SELECT 'may make roles (CREATEROLE)' WHERE rolcreaterole
      UNION ALL SELECT 'passes row security (BYPASSRLS)' WHERE rolbypassrls
      UNION ALL SELECT 'may replicate (REPLICATION)' WHERE rolreplication
      UNION ALL SELECT 'writes every table or file (' || rolname || ')'
        WHERE rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_database_owner')
      UNION ALL SELECT 'owns the database' FROM pg_database WHERE datname = current_database() AND datdba = lent.oid
      UNION ALL SELECT 'owns the schema ' || nspname FROM ours WHERE nspowner = lent.oid
      UNION ALL SELECT 'owns ' || min(nspname || '.' || relname) FROM pg_class JOIN ours ON ours.oid = relnamespace
        WHERE relowner = lent.oid HAVING count(*) > 0
      UNION ALL SELECT 'owns the function ' || min(nspname || '.' || proname) FROM pg_proc JOIN ours ON ours.oid = pronamespace
        WHERE proowner = lent.oid HAVING count(*) > 0
      UNION ALL SELECT 'may make schemas (CREATE ON DATABASE)' WHERE has_database_privilege(lent.oid, current_database(), 'CREATE')
      UNION ALL SELECT 'may make tables in ' || min(nspname) FROM ours WHERE has_schema_privilege(lent.oid, ours.oid, 'CREATE')
        HAVING count(*) > 0
    ) AS found ORDER BY 3`;
  return found.map(({ role, via, strength }) => {
    const through = via === role ? "" : ` through ${via}`;
    return `DATABASE_URL: its role ${role}${through} ${strength}; with DATABASE_OWNER_URL set, it must have only what the owner grants it`;
  });
}

/** True if the connected role could change the ledger despite its triggers, because one role both owns and uses the database. */
export async function ownsBooks(run: (text: string) => Promise<Iterable<unknown>>): Promise<boolean> {
  const [row] = await run(`
    SELECT pg_has_role(current_user, relowner, 'MEMBER') AS owns FROM pg_class WHERE oid = 'payments.entries'::regclass`);
  return (row as { owns: boolean } | undefined)?.owns === true;
}
