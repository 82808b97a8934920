import { rmSync } from "node:fs";
import { join } from "node:path";
import { postmaster } from "./cluster.ts";
import { claim, ownerOf } from "./owner.ts";
import type { Place } from "./place.ts";
import { isAlive, mayServe } from "./processes.ts";
import { becomeReady, lastWords, launch, type Server } from "./server.ts";

/** Everything that is fixed about one embedded database. */
export type Installation = {
  place: Place;
  programs: string;
  data: string;
  socketFolder: string;
  url: string;
  /** Where the process that runs the server says so. */
  note: string;
};

/** How long an old server may take to end and a new one may refuse to start. */
const PATIENCE_MS = 60_000;
/** How long another process of ours may take to end before we say that it is in the way. */
const OTHER_MS = 20_000;
/** After how long a server that nobody runs any more (its watchdog was killed too) is asked to end. */
const ORPHAN_MS = 5_000;

/**
 * Answers a server we have started, or the address of one that another living process of ours runs. An old server whose
 * app is gone is about to end and is waited for, and with `exclusive` another process of ours too. Postgres's own lock
 * decides between several that start at once.
 */
export async function obtain(
  installation: Installation,
  exclusive: boolean,
): Promise<{ server: Server } | { url: string }> {
  const { place, data, note, url } = installation;
  const patience = Date.now() + PATIENCE_MS;
  while (Date.now() < patience) {
    const other = await settle(installation, exclusive);
    if (other !== undefined) return { url: other };
    claim(note, url);
    const server = launch(installation);
    if (await becomeReady(server, data)) {
      claim(note, url); // another that lost the race may have written there meanwhile
      return { server };
    }
    await Bun.sleep(100);
  }
  throw new Error(`The embedded database does not start: ${lastWords(place.home)}`);
}

/** Waits until no server runs; or until the one of another living process is ready, and answers its address. */
async function settle({ data, note }: Installation, exclusive: boolean): Promise<string | undefined> {
  const began = Date.now();
  let asked = 0;
  for (;;) {
    const running = postmaster(data);
    if (running === undefined || !isAlive(running.pid)) return undefined;
    if (!mayServe(running.pid, data)) {
      rmSync(join(data, "postmaster.pid"), { force: true }); // Postgres would take the other process for its own
      return undefined;
    }
    const owner = ownerOf(note);
    const waited = Date.now() - began;
    if (owner === undefined) {
      if (waited > PATIENCE_MS)
        throw new Error(`An old database server (process ${running.pid}) does not end`);
      if (waited > ORPHAN_MS * (asked + 1)) process.kill(running.pid, asked++ < 4 ? "SIGINT" : "SIGQUIT");
    } else if (owner.app !== process.pid && running.ready) {
      if (!exclusive) return owner.url;
      if (waited > OTHER_MS)
        throw new Error(`Midman already runs on this DATA_DIR, as process ${owner.app}.`);
    }
    await Bun.sleep(20);
  }
}
