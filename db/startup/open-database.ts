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

/** An open database: the application's address, the owner's where there are two roles, and what closes it. */
export type OpenDatabase = { url: string; ownerUrl: string | undefined; stop(): Promise<void> };

/**
 * Opens the state: the database of DATABASE_URL or the embedded one, migrated by its owner, with `#db/client` connected to it as the
 * application and `#db/clock` going by its time. `stop` closes the pool and then ends an embedded server that this process runs. Throws
 * an error whose message tells the operator what is wrong, with nothing left running. The server itself is `exclusive`: it does not start
 * beside another on the same DATA_DIR; scripts do, and use its embedded database. With `existing` an empty database is refused, as one
 * that was named by mistake. With `migrated: false` the database stays as it is found, also an empty or an older one, and `#db/client` is
 * its owner: no other role need be there yet. A database in which a restore has not ended is refused, unless `migrated: false` is given without `existing` (the restore itself).
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
    // After the migrations, which wait for a restore under way.
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
 * Migrates as the owner and, where the application has a role of its own, ends the start if that one is more than it may be. Where one
 * role is both, the server says so in the log: whoever gets hold of it could switch off the triggers that protect the books.
 */
async function migrateAndCheckRoles(url: string, ownerUrl: string | undefined, tell: boolean): Promise<void> {
  if (ownerUrl === undefined) {
    await migrateDatabase(url);
    if (tell) {
      log().warn(
        "one role owns the database and uses it: only triggers protect the books (DATABASE_OWNER_URL, docs/operations.md)",
      );
    }
    return;
  }
  await migrateDatabase(ownerUrl, url);
  await mustBeApplication(url, ownerUrl);
}

/** The application's address is one of the same database, and of a role that cannot change what the owner alone may. */
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
        : ["DATABASE_OWNER_URL: it is another database than DATABASE_URL"];
    if (lines.length > 0) throw new Error(`Midman cannot start.\n${lines.join("\n")}`);
  } finally {
    await Promise.all([application.end({ timeout: 1 }), owner.end({ timeout: 1 })]);
  }
}

/** A database that Midman never ran on says nothing of its books, and nobody at the console means to begin one. */
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

/** How an address is told: never with its password. */
function placeOf(url: string, setting = "DATABASE_URL"): string {
  const { host, pathname } = new URL(url);
  return `${setting}: ${host}${pathname}`;
}

/**
 * Tries the database once, so that a wrong address is told in one line and not by whatever asks first; ends the start where it answers and
 * will not do, with a line for each reason.
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
