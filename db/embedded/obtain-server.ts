import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPostmaster } from "./cluster.ts";
import type { EmbeddedPlace } from "./cluster-place.ts";
import { lockDatabaseFolder } from "./folder-lock.ts";
import { launchPostgres, readLogEnd, type Server, waitUntilReady } from "./postgres-server.ts";
import { isWatched, mayServe } from "./processes.ts";
import { claimServer, ownerOf } from "./server-owner.ts";

/** The fixed properties of one embedded database. */
export type Installation = {
  place: EmbeddedPlace;
  programs: string;
  data: string;
  socketFolder: string;
  url: string;
  /** The file in which the process that runs the server records itself. */
  note: string;
};

/** How long, in ms, an old server may take to end and a new one may refuse to start. */
const PATIENCE_MS = 60_000;
/** How long, in ms, another Midman process may take to end before this one gives up. */
const OTHER_MS = 20_000;
/** The same for a command, whose next try would find the same process there. */
const COMMAND_MS = 3_000;
/** How long, in ms, a server without an app may run (its watchdog was killed too) before it is asked to end. */
const ORPHAN_MS = 5_000;

const noteIsGone = (note: string): string =>
  `Midman already runs on this DATA_DIR, but ${note} is gone, which says how to reach its database. Restart Midman.`;
const OUT_OF_SIGHT =
  "Midman already runs on this DATA_DIR where this process cannot see it: in another container, or on another machine. Run commands there.";

/**
 * Returns a server that this process has started, or the address of one that another living Midman process runs. Waits for an old server
 * whose app is gone, and with `exclusive` for another Midman process. The lock decides between several that start at once, and reveals a
 * server whose process is not visible here.
 */
export async function obtainServer(
  installation: Installation,
  exclusive: boolean,
): Promise<{ server: Server } | { url: string }> {
  const { place, data, note, url } = installation;
  const patience = Date.now() + PATIENCE_MS;
  let unseen: number | undefined;
  while (Date.now() < patience) {
    const other = await waitForOldServer(installation, exclusive);
    if (other !== undefined) return { url: other };
    const held = lockDatabaseFolder(place.home);
    if (held === undefined) {
      unseen ??= Date.now(); // a visible server that has ended may take a moment to release its lock
      if (Date.now() - unseen > (exclusive ? OTHER_MS : COMMAND_MS)) throw new Error(OUT_OF_SIGHT);
      await Bun.sleep(100);
      continue;
    }
    dropForeignId(data);
    claimServer(note, url);
    const server = launchPostgres(installation, held);
    held.release(); // the server holds it now
    if (await waitUntilReady(server, data)) return { server };
    await Bun.sleep(100);
  }
  throw new Error(`The embedded database could not be started: ${readLogEnd(place.home)}`);
}

/** In a container the same small process ids return: Postgres would mistake another process for the server that died. */
function dropForeignId(data: string): void {
  const dead = readPostmaster(data);
  if (dead !== undefined && !mayServe(dead.pid, data)) rmSync(join(data, "postmaster.pid"), { force: true });
}

/** Waits until no visible server runs. If another living process runs one, waits until it is ready and returns its address. */
async function waitForOldServer(
  { data, note }: Installation,
  exclusive: boolean,
): Promise<string | undefined> {
  const began = Date.now();
  let asked = 0;
  for (;;) {
    const running = readPostmaster(data);
    if (running === undefined || !mayServe(running.pid, data)) return undefined;
    const owner = ownerOf(note);
    const waited = Date.now() - began;
    if (owner === undefined) {
      if (waited > PATIENCE_MS)
        throw new Error(`An old database server (process ${running.pid}) does not stop`);
      const watched = isWatched(running.pid, data);
      if (watched && waited > COMMAND_MS && !existsSync(note)) throw new Error(noteIsGone(note));
      if (!watched && waited > ORPHAN_MS * (asked + 1))
        process.kill(running.pid, asked++ < 4 ? "SIGINT" : "SIGQUIT");
    } else if (owner.app !== process.pid && running.ready) {
      if (!exclusive) return owner.url;
      if (waited > OTHER_MS)
        throw new Error(`Midman already runs on this DATA_DIR, as process ${owner.app}.`);
    }
    await Bun.sleep(20);
  }
}
