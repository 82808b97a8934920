import "../environment.ts";
import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "postgres";
import { applicationUrl } from "../../../db/access/application-role.ts";
import {
  connectDatabase,
  createDrizzlePool,
  type Db,
  disconnectDatabase,
  openClient,
} from "../../../db/client.ts";
import { isAlive } from "../../../db/embedded/processes.ts";
import { stopJobs } from "../../../db/jobs.ts";
import { migrationsFolder } from "../../../db/migrate/journal.ts";
import { migrateDatabase } from "../../../db/migrate.ts";
import { testCluster } from "./test-cluster.ts";

let madeDatabases = 0;

/** The database of one test file: `url` is its owner's, known once `beforeAll` has run. */
export type TestDatabase = { readonly url: string };

/**
 * Gives the test file that calls it a fresh, migrated database of its own and connects `#db/client` to it as the application's role,
 * which shows that no more is needed; drops it after the file. What only the owner may do a test does by `owner()`. `connected: false` leaves the client alone.
 */
export function useDatabase(options: { connected?: boolean } = {}): TestDatabase {
  setDefaultTimeout(60_000); // of the calling file; five seconds are few where two cores run several suites at once
  const database = { url: "" };
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const fresh = await freshDatabase();
    drop = fresh.drop;
    database.url = fresh.url;
    currentUrl = fresh.url;
    if (options.connected !== false) connectDatabase(applicationUrl(fresh.url));
  }, 60_000);
  afterAll(async () => {
    // Workers that a file left running would poll a database that is gone.
    await stopJobs(1_000);
    if (options.connected !== false) await disconnectDatabase();
    await ownerPool?.client.end();
    ownerPool = undefined;
    await drop?.();
  });
  return database;
}

let currentUrl = "";
let ownerPool: { client: Sql; database: Db } | undefined;

/** The file's database as its owner, who may everything: for what somebody at the database itself could do, or a test sets up. */
export function ownerDatabase(): Db {
  if (ownerPool === undefined) {
    const client = openClient(currentUrl, { max: 3, connection: { application_name: "owner" } });
    ownerPool = { client, database: createDrizzlePool(client) };
  }
  return ownerPool.database;
}

/** Makes a migrated database (or an empty one) in the throw-away cluster. */
export async function freshDatabase(empty = false): Promise<{ url: string; drop(): Promise<void> }> {
  const address = await testCluster();
  const template = empty ? "template0" : await ensureTemplate(address);
  const name = `test_${process.pid}_${++madeDatabases}_${crypto.randomUUID().slice(0, 8)}`;
  await runOnCluster(address, async (run) => {
    await run(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${empty ? "wal_log" : "file_copy"}`);
  });
  return {
    url: address(name),
    drop: () => runOnCluster(address, (run) => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

type Run = (statement: string) => Promise<void>;

async function runOnCluster<T>(
  address: (database: string) => string,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const client = openClient(address("postgres"), { max: 1 });
  try {
    return await work(async (statement) => {
      await client.unsafe(statement);
    });
  } finally {
    await client.end();
  }
}

let templateName: Promise<string> | undefined;

function ensureTemplate(address: (database: string) => string): Promise<string> {
  templateName ??= makeTemplate(address);
  return templateName;
}

/** The migrated template of these migrations and grants; any edit of theirs makes another. */
async function makeTemplate(address: (database: string) => string): Promise<string> {
  const name = `template_${hashOf(migrationsFolder)}`;
  const client = openClient(address("postgres"), { max: 1 });
  try {
    await client`SELECT pg_advisory_lock(hashtext(${name}))`; // one of several runs makes it
    const there = await client`SELECT 1 FROM pg_database WHERE datname = ${name}`;
    if (there.length === 0) {
      await client.unsafe(`DROP DATABASE IF EXISTS ${name}_making WITH (FORCE)`);
      await client.unsafe(`CREATE DATABASE ${name}_making TEMPLATE template0`);
      const url = address(`${name}_making`);
      await migrateDatabase(url, applicationUrl(url));
      await client.unsafe(`ALTER DATABASE ${name}_making RENAME TO ${name}`);
    }
    await dropLeftovers(client);
    return name;
  } finally {
    await client.end();
  }
}

/** Databases of test runs that were killed before they could drop them. */
async function dropLeftovers(client: ReturnType<typeof openClient>): Promise<void> {
  const rows = await client<
    Array<{ datname: string }>
  >`SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'`;
  for (const { datname } of rows) {
    const pid = Number(datname.split("_")[1]);
    if (!isAlive(pid)) await client.unsafe(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  }
}

function hashOf(folder: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(sql|json)$/.test(file),
  );
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(folder, file)));
  hash.update(readFileSync(join(folder, "../access/grants.ts")));
  return hash.digest("hex").slice(0, 12);
}
