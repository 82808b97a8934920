import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { config } from "#config";
import { applicationUrl } from "./access/application-role.ts";
import { ensureCluster, socketUrl } from "./embedded/cluster.ts";
import { findPlace } from "./embedded/cluster-place.ts";
import { type Installation, obtainServer } from "./embedded/obtain-server.ts";
import { findPackage, findPrograms } from "./embedded/postgres-programs.ts";
import { makeSocketFolder, readLogEnd, type Server, shutDown } from "./embedded/postgres-server.ts";
import { dataPath } from "./files/data-directory.ts";
import { log } from "./log.ts";

/** No database of Midman exists where one was expected. */
export class NoDatabase extends Error {
  constructor(where: string) {
    super(
      `${where} holds no database of Midman. Name the one that Midman uses; its first start makes a new one.`,
    );
  }
}

/**
 * `ownerUrl` is the address of the role that created the cluster; `url` that of the application's role, which `migrateDatabase` creates.
 */
export type EmbeddedServer = { url: string; ownerUrl: string; stop(): Promise<void> };

/**
 * Runs a real Postgres with its data in DATA_DIR/postgres-<major>, created at the first start. It ends with this process, however that
 * ends, and is restarted if it ends before. If another Midman process already runs it (the server, when this is a script), that one is used
 * and `stop` does not end it; with `exclusive` this process waits for the other to end instead. With `existing`, no database is created.
 * Throws an error that says in one line what to do if it cannot run.
 */
export async function startEmbedded(
  options: { exclusive?: boolean; existing?: boolean } = {},
): Promise<EmbeddedServer> {
  const packaged = findPackage();
  const wanted = resolve(config().DATA_DIR, `postgres-${packaged.major}`);
  if (options.existing && lstatSync(wanted, { throwIfNoEntry: false }) === undefined)
    throw new NoDatabase(`DATA_DIR ${config().DATA_DIR}`);
  const place = findPlace(dataPath(wanted));
  const programs = findPrograms(place.as, packaged, place.shelter);
  const data = join(place.home, "data");
  const password = ensureCluster(place.as, programs, data);
  const socketFolder = makeSocketFolder(place);
  const url = socketUrl(socketFolder, password);
  const installation = { place, programs, data, socketFolder, url, note: dataPath("database.json") };

  const obtained = await obtainServer(installation, options.exclusive === true);
  if ("url" in obtained) return { ...deriveAddresses(obtained.url), stop: async () => {} };
  return superviseServer(installation, obtained.server);
}

/** Restarts the server when it ends without being asked to. The pools reconnect by themselves. */
function superviseServer(installation: Installation, first: Server): EmbeddedServer {
  let server = first;
  let stopping = false;
  const watch = async (): Promise<void> => {
    await server.exited;
    if (stopping) return;
    log().error(
      { said: readLogEnd(installation.place.home) },
      "The database ended unexpectedly and is being restarted",
    );
    const again = await obtainServer(installation, true);
    if ("url" in again) return;
    server = again.server;
    if (stopping) await shutDown(server);
    return watch();
  };
  const watching = watch();
  const stop = async (): Promise<void> => {
    stopping = true;
    await shutDown(server);
    await watching;
  };
  return { ...deriveAddresses(installation.url), stop };
}

function deriveAddresses(ownerUrl: string) {
  return { url: applicationUrl(ownerUrl), ownerUrl };
}
