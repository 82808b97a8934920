import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { freshDatabase, useDatabase } from "../../tests/support/database/test-database.ts";
import { openClient } from "../client.ts";
import { migrateDatabase } from "../migrate.ts";
import { applicationUrl, findExcessRights, roleOf } from "./application-role.ts";
import { applicationGrants, ownerFunctions } from "./grants.ts";

const database = useDatabase({ connected: false });
const over: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end();
});

function opened(url: string): Sql {
  const client = openClient(url, { max: 1 });
  over.push(() => client.end({ timeout: 1 }));
  return client;
}

/** The database's reply to a statement, whose effect is rolled back. */
async function said(client: Sql, statement: string): Promise<string> {
  const done = new Error("done");
  return client
    .begin(async (tx) => {
      await tx.unsafe(statement);
      throw done;
    })
    .then(
      () => "",
      (error: Error & { code?: string }) => (error === done ? "done" : `${error.code} ${error.message}`),
    );
}

const appendOnly = Object.entries(applicationGrants)
  .filter(
    ([, { rights, columns }]) =>
      columns === undefined && !rights.some((right) => /UPDATE|DELETE/.test(right)),
  )
  .map(([name]) => name);

describe("as the application's role", () => {
  test("ledger, log and trade history are among the append-only tables", () => {
    expect(appendOnly).toEqual(
      expect.arrayContaining([
        ...["payments.journals", "payments.entries", "payments.balances", "payments.ledger_checks"],
        ...["audit.entries", "audit.blocks", "audit.erased", "audit.traces", "audit.checks"],
        ...["escrow.steps", "identity.admin_grants"],
      ]),
    );
  });

  for (const table of appendOnly) {
    test(`${table} cannot be updated, truncated or altered`, async () => {
      const client = opened(applicationUrl(database.url));
      const [name = ""] = table.split(".").slice(1);
      const [column] = await opened(database.url)<Array<{ name: string }>>`
        SELECT quote_ident(attname) AS name FROM pg_attribute WHERE attrelid = ${table}::regclass AND attnum > 0 LIMIT 1`;
      const refused = new RegExp(`^42501 .*(permission denied for table|must be owner of).* ${name}`);
      for (const statement of [
        `UPDATE ${table} SET ${column?.name} = DEFAULT`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table} CASCADE`,
        `ALTER TABLE ${table} ADD COLUMN more text`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `ALTER TABLE ${table} DISABLE TRIGGER USER`,
        `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
        `CREATE RULE quiet AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
        `DROP TABLE ${table} CASCADE`,
        `GRANT ALL ON ${table} TO CURRENT_USER`,
      ]) {
        const answer = await said(client, statement);
        // Granting a right without the grant option only warns a role that holds some right, and grants nothing.
        const given = statement.startsWith("GRANT") ? /^(done|42501 )/ : refused;
        expect([statement, answer]).toEqual([statement, expect.stringMatching(given)]);
      }
      expect(await said(client, `UPDATE ${table} SET ${column?.name} = DEFAULT`)).toStartWith("42501");
    });
  }

  test("no partition of the log or of the messages can be reached except through its parent", async () => {
    const client = opened(applicationUrl(database.url));
    const parts = await opened(database.url)<Array<{ name: string }>>`
      SELECT inhrelid::regclass::text AS name FROM pg_inherits
      WHERE inhparent IN ('audit.entries'::regclass, 'rooms.messages'::regclass)`;
    expect(parts.length).toBeGreaterThan(8);
    for (const { name } of parts) {
      for (const statement of [`SELECT FROM ${name}`, `DELETE FROM ${name}`, `DROP TABLE ${name}`]) {
        expect([statement, await said(client, statement)]).toEqual([
          statement,
          expect.stringMatching(/^42501 /),
        ]);
      }
      const parent = name.startsWith("audit.") ? "audit.entries" : "rooms.messages";
      expect(await said(client, `ALTER TABLE ${parent} DETACH PARTITION ${name}`)).toMatch(
        /^42501 must be owner/,
      );
    }
  });

  test("triggers cannot be bypassed: not by a session setting, another function or dropping one", async () => {
    const client = opened(applicationUrl(database.url));
    const triggers = await opened(database.url)<Array<{ name: string; table: string; function: string }>>`
      SELECT quote_ident(tgname) AS name, tgrelid::regclass::text AS table, tgfoid::regproc::text AS function
      FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
      WHERE NOT tgisinternal AND NOT relispartition AND relnamespace::regnamespace::text IN ('payments', 'audit', 'escrow', 'identity')`;
    expect(triggers.length).toBeGreaterThan(30);
    for (const { name, table, function: run } of triggers) {
      for (const statement of [
        `DROP TRIGGER ${name} ON ${table}`,
        `ALTER TABLE ${table} DISABLE TRIGGER ${name}`,
        `DROP FUNCTION ${run} CASCADE`,
        `ALTER FUNCTION ${run} RENAME TO other`,
        `CREATE OR REPLACE FUNCTION ${run}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
      ]) {
        expect([statement, await said(client, statement)]).toEqual([
          statement,
          expect.stringMatching(/^42501 /),
        ]);
      }
    }
    for (const statement of [
      "SET session_replication_role = replica",
      `SET ROLE ${roleOf(database.url)}`,
      "CREATE SCHEMA mine",
      "CREATE TABLE payments.mine (id int)",
      "CREATE FUNCTION audit.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "CREATE TABLE public.mine (id int)",
      "CREATE ROLE mine",
      "ALTER ROLE CURRENT_USER SUPERUSER",
      "COPY payments.entries TO PROGRAM 'cat'",
      "SELECT setval('payments.journals_id_seq', 1)",
      "SELECT setval('audit.era', 1)",
    ]) {
      expect([statement, await said(client, statement)]).toEqual([
        statement,
        expect.stringMatching(/^42501 /),
      ]);
    }
  });

  test("only a payment's link to the provider's row can be written, and no balance", async () => {
    const client = opened(applicationUrl(database.url));
    for (const column of ["amount", "to_escrow", "reference", "booked_at", "hand_reference"]) {
      expect(await said(client, `UPDATE payments.payments SET ${column} = ${column}`)).toMatch(/^42501/);
    }
    expect(await said(client, "UPDATE payments.payments SET matched_at = now()")).toBe("done");
    expect(await said(client, "INSERT INTO payments.balances VALUES ('escrow:1', 5)")).toMatch(/^42501/);
  });
});

describe("the owner's functions", () => {
  test("act only on the owner's own tables, so nobody can make them run foreign code", async () => {
    const client = opened(applicationUrl(database.url));
    await client.unsafe(`
      CREATE TEMP TABLE trap (at timestamptz NOT NULL) PARTITION BY RANGE (at);
      CREATE TEMP TABLE trap_rest PARTITION OF trap DEFAULT`);
    for (const call of [
      "base.keep_partitions('trap'::regclass, interval '1 year')",
      "base.make_partitions('trap'::regclass, now(), now())",
      "base.analyze_partitioned('trap'::regclass)",
      "base.analyze_partitioned('payments.entries'::regclass)",
    ]) {
      expect([call, await said(client, `SELECT ${call}`)]).toEqual([
        call,
        expect.stringMatching(/^42501 .* is no partitioned table/),
      ]);
    }
  });

  test("erase no entry that is recent, about money, unsealed or without its digest, and not everybody's traces", async () => {
    const client = opened(applicationUrl(database.url));
    const entry = async (at: string, action: string, kind: string | null) => {
      const [row] = await client<Array<{ gone: string }>>`
        INSERT INTO audit.entries (at, action, subject_kind, subject_id, data)
        VALUES (${at}::text::timestamptz, ${action}, ${kind}, ${kind && "1"}, '{}')
        RETURNING json_build_array(json_build_object('id', id, 'at', at))::text AS gone`;
      return row?.gone ?? "";
    };
    const erased = (gone: string) => said(client, `SELECT audit.erase_entries('${gone}')`);
    const sealed = `INSERT INTO audit.blocks SELECT 1, repeat('0', 64), repeat('1', 64), repeat('2', 64), 1, '1', 1, '99999999999', 1, 1, 1, now()`;
    const young = await entry(new Date().toISOString(), "login", null);
    const money = await entry("2020-01-01", "payment.booked", null);
    const journal = await entry("2020-01-01", "journal.posted", "journal");
    const trade = await entry("2020-01-01", "message_sent", "transaction");
    const old = await entry("2020-01-01", "login", null);
    await client.unsafe(sealed);
    for (const gone of [young, money, journal, trade])
      expect(await erased(gone)).toMatch(/^23001 .* is not to be erased/);
    expect(await erased(old)).toMatch(/^23001 .* is append-only/);
    expect(await said(client, "SELECT audit.scrub_traces(NULL, NULL)")).toMatch(/^23001/);
    await client`INSERT INTO audit.traces (entry_id, at, key, ip)
      SELECT id, at, decode(repeat('00', 32), 'hex'), '10.0.0.1' FROM audit.entries WHERE at > now() - interval '1 day'`;
    const [none] = await client<
      Array<{ scrubbed: string }>
    >`SELECT audit.scrub_traces(NULL, now()) AS scrubbed`;
    expect(none?.scrubbed).toBe("0");
  });

  test("all have a fixed search_path, and only the application may call those that can be called", async () => {
    const rows = await opened(database.url)<
      Array<{ name: string; trigger: boolean; path: string; open: boolean }>
    >`
      SELECT p.oid::regprocedure::text AS name, prorettype = 'trigger'::regtype AS trigger, proconfig::text AS path,
        proacl IS NULL OR EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0) AS open
      FROM pg_proc p WHERE prosecdef AND pronamespace::regnamespace::text !~ '^pg_'`;
    expect(
      rows
        .filter(({ trigger }) => !trigger)
        .map(({ name }) => name.replaceAll(",", ", "))
        .sort(),
    ).toEqual([...ownerFunctions].sort());
    for (const { name, trigger, path, open } of rows) {
      expect([name, path]).toEqual([name, expect.stringContaining("search_path=pg_catalog, pg_temp")]);
      expect([name, open]).toEqual([name, trigger]);
    }
  });
});

test("every table has a deliberate grant, and every grant its table", async () => {
  const rows = await opened(database.url)<Array<{ name: string }>>`
    SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition
      AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pgboss') AND n.nspname !~ '^pg_t'`;
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(applicationGrants).sort());
});

test("the next start restores manually changed grants, and writes nothing if they are right", async () => {
  const { url, drop } = await freshDatabase();
  over.push(drop);
  const owner = opened(url);
  const role = roleOf(applicationUrl(url));
  const state = async () =>
    JSON.stringify(
      await owner`SELECT oid::regclass::text AS name, relacl::text AS acl, xmin::text AS written FROM pg_class
        WHERE relnamespace::regnamespace::text IN ('payments', 'audit', 'escrow') AND relkind IN ('r', 'p', 'S') ORDER BY 1`,
    );
  const before = await state();
  await migrateDatabase(url, applicationUrl(url));
  expect(await state()).toBe(before);
  await owner.unsafe(`GRANT UPDATE, TRUNCATE ON payments.entries TO ${role}; REVOKE INSERT ON audit.entries FROM ${role};
    GRANT UPDATE (amount) ON payments.payments TO ${role}; GRANT ALL ON audit.entries_rest TO ${role}`);
  await migrateDatabase(url, applicationUrl(url));
  const client = opened(applicationUrl(url));
  expect(await said(client, "UPDATE payments.entries SET amount = 1")).toMatch(/^42501/);
  expect(await said(client, "UPDATE payments.payments SET amount = 1")).toMatch(/^42501/);
  expect(await said(client, "DELETE FROM audit.entries_rest")).toMatch(/^42501/);
  expect(
    await said(client, "INSERT INTO audit.entries (at, action, data) VALUES (now(), 'login', '{}')"),
  ).toBe("done");
});

describe("an application's role with too many privileges", () => {
  const weak = `weak_${crypto.randomUUID().slice(0, 8)}`;
  const cases: Array<[what: string, statement: (name: string) => string, says: RegExp]> = [
    ["a superuser", () => `ALTER ROLE ${weak} SUPERUSER`, /is a superuser/],
    ["one that makes roles", () => `ALTER ROLE ${weak} NOSUPERUSER CREATEROLE`, /may make roles/],
    ["one that passes row security", () => `ALTER ROLE ${weak} NOCREATEROLE BYPASSRLS`, /BYPASSRLS/],
    ["one that replicates", () => `ALTER ROLE ${weak} NOBYPASSRLS REPLICATION`, /REPLICATION/],
    [
      "one that owns a table",
      () => `ALTER ROLE ${weak} NOREPLICATION; ALTER TABLE payments.entries OWNER TO ${weak}`,
      /owns payments.entries/,
    ],
    ["one that makes schemas", (name) => `GRANT CREATE ON DATABASE ${name} TO ${weak}`, /may make schemas/],
    ["one that writes everything", () => `GRANT pg_write_all_data TO ${weak}`, /writes every table or file/],
    ["one that is the owner by membership", () => `GRANT midman TO ${weak}`, /through midman is a superuser/],
  ];
  for (const [what, statement, says] of cases) {
    test(`${what} is reported`, async () => {
      const { url, drop } = await freshDatabase();
      over.push(drop);
      const owner = opened(url);
      await owner.unsafe(`DROP ROLE IF EXISTS ${weak}; CREATE ROLE ${weak} LOGIN PASSWORD 'weak'`);
      over.push(() => owner.unsafe(`DROP OWNED BY ${weak} CASCADE; DROP ROLE ${weak}`));
      const client = opened(Object.assign(new URL(url), { username: weak, password: "weak" }).href);
      expect(await findExcessRights(client)).toEqual([]);
      await owner.unsafe(statement(new URL(url).pathname.slice(1)));
      expect((await findExcessRights(client)).join("\n")).toMatch(says);
    });
  }
});

describe("a start", () => {
  /** Opens the database in a separate process. Returns the role it is connected as, or why it is refused. */
  async function start(settings: Record<string, string>): Promise<string> {
    const dataDir = settings.DATA_DIR ?? folder();
    const program = `
      import { openDatabase } from "#db/startup/open-database";
      import { db } from "#db/client";
      try {
        const opened = await openDatabase({ exclusive: true });
        const [row] = await db().execute("SELECT current_user AS role, (SELECT count(*)::int FROM audit.entries) AS rows");
        console.log("as " + row.role + ", " + row.rows + " entries");
        await opened.stop();
      } catch (error) { console.log(error.message); }
      process.exit(0);`;
    return run(program, { DATA_DIR: dataDir, ...settings });
  }

  async function run(program: string, settings: Record<string, string>): Promise<string> {
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: join(import.meta.dir, "..", ".."),
      env: { PATH: process.env.PATH ?? "", ALLOW_SANDBOX: "true", LOG_LEVEL: "warn", ...settings },
      stderr: "pipe",
    });
    return (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
  }

  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), "midman-roles-"));
    chmodSync(path, 0o755); // when root runs the tests, the embedded database runs as another user, who must be able to enter
    over.push(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  test("on a data folder of an older version, whose one role is a superuser, runs as a role made for the application", async () => {
    const DATA_DIR = folder();
    const before = `
      import { startEmbedded } from "#db/embedded";
      import { migrateDatabase } from "#db/migrate";
      import { openClient } from "#db/client";
      const { ownerUrl, stop } = await startEmbedded();
      await migrateDatabase(ownerUrl);
      const client = openClient(ownerUrl, { max: 1 });
      await client.unsafe("INSERT INTO audit.entries (at, action, data) VALUES (now(), 'login', '{}')");
      const [{ roles }] = await client.unsafe("SELECT count(*)::int AS roles FROM pg_roles WHERE rolcanlogin");
      console.log(roles + " role");
      await client.end();
      await stop();
      process.exit(0);`;
    expect(await run(before, { DATA_DIR })).toBe("1 role\n");
    for (let again = 0; again < 2; again++)
      expect(await start({ DATA_DIR })).toBe("as midman_app, 1 entries\n");
  });

  test("with two roles migrates as the owner and runs as the application, whose role it makes", async () => {
    const { url, drop } = await freshDatabase(true);
    over.push(drop);
    expect(await start({ DATABASE_URL: applicationUrl(url), DATABASE_OWNER_URL: url })).toBe(
      "as midman_app, 0 entries\n",
    );
  });

  test("with one role runs, and reports that only triggers protect the ledger", async () => {
    const { url, drop } = await freshDatabase(true);
    over.push(drop);
    const output = await start({ DATABASE_URL: url });
    expect(output).toContain("as midman, 0 entries");
    expect(output).toContain("only triggers protect the ledger");
  });

  test("is refused if the application's role is the owner, or the owner's address names another database", async () => {
    const [one, other] = [await freshDatabase(), await freshDatabase()];
    over.push(one.drop, other.drop);
    expect(await start({ DATABASE_URL: one.url, DATABASE_OWNER_URL: one.url })).toMatch(
      /^Midman cannot start.\nDATABASE_URL: its role midman /,
    );
    expect(await start({ DATABASE_URL: applicationUrl(one.url), DATABASE_OWNER_URL: other.url })).toBe(
      "Midman cannot start.\nDATABASE_OWNER_URL: names another database than DATABASE_URL\n",
    );
    expect(await start({ DATABASE_OWNER_URL: one.url })).toContain("DATABASE_URL: is missing");
  });

  test("on a database of an older version, whose one role owns everything, creates the application's role", async () => {
    const { url, drop } = await freshDatabase(true);
    over.push(drop);
    await migrateDatabase(url);
    const owner = opened(url);
    await owner`INSERT INTO audit.entries (at, action, data) VALUES (now(), 'login', '{}')`;
    expect(await start({ DATABASE_URL: applicationUrl(url), DATABASE_OWNER_URL: url })).toBe(
      "as midman_app, 1 entries\n",
    );
  });
});
