import type { Sql } from "postgres";
import { config } from "#config";
import { findExcessRights, roleOf } from "../access/application-role.ts";
import { mustBeRestored } from "../backup/unfinished-restore.ts";
import { connectDatabase, disconnectDatabase, openClient } from "../client.ts";
import { NoDatabase, startEmbedded } from "../embedded.ts";
import { log } from "../log.ts";
import { migrateDatabase } from "../migrate.ts";
import { findDatabaseProblems, isMigrated } from "./database-requirements.ts";
import { followDatabaseClock } from "./follow-database-clock.ts";
import { movedDatabaseReason, unusedEmbeddedReason } from "./instance-record.ts";

/** An open database: the application's address, the owner's if there are two roles, and a function that closes it. */
export type OpenDatabase = { url: string; ownerUrl: string | undefined; stop(): Promise<void> };

/**
 * Opens the database of DATABASE_URL or the embedded one, migrates it as its owner, connects `#db/client` to it as the application and sets
 * `#db/clock` by its time. `stop` closes the pool and then ends an embedded server that this process runs. Throws an error that tells the
 * operator what is wrong, and leaves nothing running. The server is `exclusive`: it does not start beside another on the same DATA_DIR;
 * scripts do, and use its embedded database. With `existing`, an empty database is refused, because it was probably named by mistake. With
 * `migrated: false` the database is left as it is, even if empty or older, and `#db/client` connects as its owner, because the other role
 * need not exist yet. A database with an unfinished restore is refused, except with `migrated: false` and without `existing` (the restore
 * itself).
 */
export async function openDatabase(
  options: { exclusive?: boolean; existing?: boolean; migrated?: boolean } = {},
): Promise<OpenDatabase> {
  const given = config().DATABASE_URL;
  const ownerGiven = config().DATABASE_OWNER_URL;
  const wrongPlace = given === undefined ? movedDatabaseReason() : unusedEmbeddedReason();
  if (wrongPlace !== undefined) throw new Error(`Midman cannot start.\n${wrongPlace}`);
  if (ownerGiven !== undefined) await assertReachable(ownerGiven, "DATABASE_OWNER_URL");
  else if (given !== undefined) await assertReachable(given, "DATABASE_URL");
  const { url, ownerUrl, stop } =
    given === undefined
      ? await startEmbedded(options)
      : { url: given, ownerUrl: ownerGiven, stop: async () => {} };
  let stopFollowing: () => void;
  try {
    if (options.existing) await mustBeOurs(ownerUrl ?? url);
    if (options.migrated !== false) await migrateAndCheckRoles(url, ownerUrl, options.exclusive === true);
    connectDatabase(options.migrated === false ? (ownerUrl ?? url) : url, config().DATABASE_CONNECTIONS);
    // After the migrations, which wait for a running restore.
    if (options.existing || options.migrated !== false) await mustBeRestored();
    stopFollowing = await followDatabaseClock();
  } catch (error) {
    await disconnectDatabase();
    await stop();
    throw error;
  }
  return {
    url,
    ownerUrl,
    stop: async () => {
      stopFollowing();
      await disconnectDatabase();
      await stop();
    },
  };
}

/**
 * Migrates as the owner. If the application has a role of its own, ends the start if that role has excess rights. If one role is both, the
 * server logs a warning: anybody who gains it could disable the triggers that protect the ledger.
 */
async function migrateAndCheckRoles(url: string, ownerUrl: string | undefined, tell: boolean): Promise<void> {
  if (ownerUrl === undefined) {
    await migrateDatabase(url);
    if (tell) {
      log().warn(
        "one role both owns and uses the database: only triggers protect the ledger (DATABASE_OWNER_URL, docs/operations.md)",
      );
    }
    return;
  }
  await migrateDatabase(ownerUrl, url);
  await mustBeApplication(url, ownerUrl);
}

/** Throws unless the application's address names the same database, and a role that cannot change what only the owner may. */
async function mustBeApplication(url: string, ownerUrl: string): Promise<void> {
  const [application, owner] = [url, ownerUrl].map((one) => openClient(one, { max: 1, connect_timeout: 10 }));
  if (application === undefined || owner === undefined) return;
  try {
    const place = (client: Sql) =>
      client<Array<{ place: string }>>`
        SELECT oid || ' ' || pg_postmaster_start_time() AS place FROM pg_database WHERE datname = current_database()`;
    const [own] = await place(application).catch((error: Error) => {
      throw new Error(`${placeOf(url)} does not answer its role ${roleOf(url)}: ${error.message}`, {
        cause: error,
      });
    });
    const [other] = await place(owner);
    const lines =
      own?.place === other?.place
        ? await findExcessRights(application)
        : ["DATABASE_OWNER_URL: names another database than DATABASE_URL"];
    if (lines.length > 0) throw new Error(`Midman cannot start.\n${lines.join("\n")}`);
  } finally {
    await Promise.all([application.end({ timeout: 1 }), owner.end({ timeout: 1 })]);
  }
}

/** Throws for a database that Midman never ran on: a console command is not meant to create one. */
async function mustBeOurs(url: string): Promise<void> {
  const client = openClient(url, { max: 1 });
  try {
    if (!(await isMigrated(client)))
      throw new NoDatabase(
        config().DATABASE_URL === undefined ? `DATA_DIR ${config().DATA_DIR}` : placeOf(url),
      );
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** An address for messages, never with its password. */
function placeOf(url: string, setting = "DATABASE_URL"): string {
  const { host, pathname } = new URL(url);
  return `${setting}: ${host}${pathname}`;
}

/**
 * Connects once, so that a wrong address is reported in one line and not by the first query. Ends the start, with a line for each reason,
 * if the database is reachable but unsuitable.
 */
async function assertReachable(url: string, setting: string): Promise<void> {
  const client = openClient(url, { max: 1, connect_timeout: 10 });
  try {
    await client`SELECT 1`.catch((error: Error) => {
      throw new Error(`${placeOf(url, setting)} does not answer: ${error.message}`, { cause: error });
    });
    const lines = await findDatabaseProblems(client, setting);
    if (lines.length > 0) throw new Error(`Midman cannot start.\n${lines.join("\n")}`);
  } finally {
    await client.end({ timeout: 1 });
  }
}
