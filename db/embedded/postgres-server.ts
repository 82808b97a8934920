import type { ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { privateFolder, readPostmaster } from "./cluster.ts";
import type { EmbeddedPlace } from "./cluster-place.ts";
import type { Lock } from "./folder-lock.ts";
import { isAlive } from "./processes.ts";
import { startCommandAs } from "./run-command.ts";
import { untilInputEnds } from "./watchdog.ts";

/** A running server. It stops when its input ends. */
export type Server = { child: ChildProcess; exited: Promise<void> };

/** Only this machine's sockets, full durability (the default), and no JIT compilation. */
const serverSettings = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  jit: "off",
};

type Launch = { place: EmbeddedPlace; programs: string; data: string; socketFolder: string };

/**
 * Starts Postgres on the cluster, under a watchdog that ends it together with this process. The server holds the lock `held`. It may fail
 * to start; see `waitUntilReady`.
 */
export function launchPostgres({ place, programs, data, socketFolder }: Launch, held?: Lock): Server {
  rmSync(join(socketFolder, ".s.PGSQL.5432.lock"), { force: true }); // left by a dead server, because this process holds the lock
  const { as, home } = place;
  const options = Object.entries({ ...serverSettings, unix_socket_directories: socketFolder });
  const command = [join(programs, "postgres"), "-D", data];
  for (const [name, value] of options) command.push("-c", `${name}=${value}`);
  const log = openLog(home);
  const child = startCommandAs(as, ["sh", "-c", untilInputEnds, "sh", ...command], {
    stdin: "pipe",
    log,
    held: held?.fd,
  });
  closeSync(log);
  child.unref();
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  return { child, exited };
}

/** Waits until the server is ready, however long recovery takes. Returns false if it ended instead. */
export async function waitUntilReady(server: Server, data: string): Promise<boolean> {
  let ended = false;
  server.exited.then(() => {
    ended = true;
  });
  for (;;) {
    const found = readPostmaster(data);
    if (found?.ready === true && isAlive(found.pid)) return true;
    if (ended) return false;
    await Bun.sleep(15);
  }
}

/** Asks the server to shut down and waits for it; kills it after 40 seconds. */
export async function shutDown(server: Server): Promise<void> {
  server.child.stdin?.end();
  const late = setTimeout(() => {
    if (server.child.pid !== undefined) process.kill(-server.child.pid, "SIGKILL");
  }, 40_000);
  await server.exited;
  clearTimeout(late);
}

/** The last lines of the server's log, which say why it did not start. */
export function readLogEnd(home: string): string {
  return readFileSync(join(home, "log"), "utf8").trim().split("\n").slice(-3).join("\n");
}

/** Creates the folder of the unix socket. A socket's path may have at most 107 bytes: if `home` is too long, the folder is in /tmp. */
export function makeSocketFolder({ as, home }: EmbeddedPlace): string {
  const near = join(home, "run");
  if (Buffer.byteLength(join(near, ".s.PGSQL.5432.lock")) < 107) {
    privateFolder(as, near);
    return near;
  }
  const far = mkdtempSync("/tmp/midman-");
  if (as.become !== undefined) chownSync(far, as.become.uid, as.become.gid);
  chmodSync(far, 0o700);
  process.once("exit", () => rmSync(far, { recursive: true, force: true }));
  return far;
}

/** Opens the log for appending, or truncates it once it has 10 MB. */
function openLog(home: string): number {
  const path = join(home, "log");
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(path, size > 10_000_000 ? "w" : "a", 0o600);
}
