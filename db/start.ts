import { config } from "#config";
import { connect, disconnect, openClient } from "./client.ts";
import { followDatabaseClock } from "./clock.follow.ts";
import { NoDatabase, startEmbedded } from "./embedded.ts";
import { isMigrated, unfit } from "./fit.ts";
import { migrate } from "./migrate.ts";

/**
 * Opens the state: the database of DATABASE_URL or the embedded one, migrated, with `#db/client` connected to it and
 * `#db/clock` going by its time. `stop` closes the pool and then ends an embedded server that this process runs. Throws an error whose message tells
 * the operator what is wrong, with nothing left running. The server itself is `exclusive`: it does not start beside another
 * on the same DATA_DIR; scripts do, and use its embedded database. With `existing` an empty database is refused, as one that was
 * named by mistake. With `migrated: false` the database stays as it is found, also an empty or an older one.
 */
export async function openDatabase(
  options: { exclusive?: boolean; existing?: boolean; migrated?: boolean } = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const given = config().DATABASE_URL;
  if (given !== undefined) await reach(given);
  const { url, stop } =
    given === undefined ? await startEmbedded(options) : { url: given, stop: async () => {} };
  let stopFollowing: () => void;
  try {
    if (options.existing) await mustBeOurs(url);
    if (options.migrated !== false) await migrate(url);
    connect(url);
    stopFollowing = await followDatabaseClock();
  } catch (error) {
    await disconnect();
    await stop();
    throw error;
  }
  return {
    url,
    stop: async () => {
      stopFollowing();
      await disconnect();
      await stop();
    },
  };
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
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `DATABASE_URL: ${host}${pathname}`;
}

/**
 * Tries the database once, so that a wrong address is told in one line and not by whatever asks first; ends the start where it answers and
 * will not do, with a line for each reason.
 */
async function reach(url: string): Promise<void> {
  const client = openClient(url, { max: 1, connect_timeout: 10 });
  try {
    await client`SELECT 1`.catch((error: Error) => {
      throw new Error(`${placeOf(url)} does not answer: ${error.message}`, { cause: error });
    });
    const lines = await unfit(client);
    if (lines.length > 0) throw new Error(`Midman cannot start.\n${lines.join("\n")}`);
  } finally {
    await client.end({ timeout: 1 });
  }
}
