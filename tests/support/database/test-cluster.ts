import { openSync, readFileSync, rmSync, statfsSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCluster, privateFolder, readPostmaster, socketUrl } from "../../../db/embedded/cluster.ts";
import { copyPrograms, findPackage } from "../../../db/embedded/postgres-programs.ts";
import { isAlive } from "../../../db/embedded/processes.ts";
import { runAs, startCommandAs } from "../../../db/embedded/run-command.ts";
import { untilIdle } from "../../../db/embedded/watchdog.ts";

/** What the databases of one run take at most, with room to spare. */
const MEMORY_BYTES = 3 * 1024 ** 3;

const folderName = `midman-tests-${process.getuid?.() ?? 0}`;
/** One throw-away cluster for all test runs of this user on this machine; `current` names its folder. */
const clusterHome = join(clusterRoot(), folderName);
/** Where Postgres' programs are copied to: nothing can be executed in the memory file system of a container. */
const programsHome = join(tmpdir(), folderName);
const currentFile = join(clusterHome, "current");
const startingFile = join(clusterHome, "starting");

const clusterSettings = {
  listen_addresses: "",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_connections: "500",
  shared_buffers: "256MB",
  jit: "off",
};

/** The memory file system where it is large enough: a database is copied there in 70 ms, on a disk in 1,400 ms. */
function clusterRoot(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= MEMORY_BYTES ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir(); // no Linux
  }
}

/**
 * Answers how the throw-away cluster's databases are addressed, having started it if it was not running. It ends by
 * itself after five idle minutes. `TEST_DATABASE_URL` names a server to use instead, where no embedded one exists.
 */
export async function testCluster(): Promise<(database: string) => string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== "") {
    return (database) => Object.assign(new URL(given), { pathname: `/${database}` }).href;
  }
  const as = runAs();
  privateFolder(as, clusterHome);
  privateFolder(as, programsHome);
  for (let attempt = 0; attempt < 600; attempt++) {
    const folder = findRunningFolder();
    if (folder !== undefined) return attachCluster(folder);
    if (claimStart()) {
      launchCluster();
      await waitForCluster();
      rmSync(startingFile, { force: true });
    }
    await Bun.sleep(50);
  }
  throw new Error(`The tests' database did not start; see ${clusterHome}`);
}

function attachCluster(folder: string): (database: string) => string {
  const touch = () => {
    const at = new Date();
    utimesSync(join(folder, "alive"), at, at);
  };
  touch();
  setInterval(touch, 30_000).unref();
  const password = readFileSync(join(folder, "data/midman.password"), "utf8");
  return (database) => socketUrl(join(folder, "run"), password, database);
}

/** The folder of the cluster that runs, if one does. */
function findRunningFolder(): string | undefined {
  try {
    const folder = readFileSync(currentFile, "utf8");
    const found = readPostmaster(join(folder, "data"));
    return found?.ready === true && isAlive(found.pid) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** True for the one run that shall start the cluster; a claim left by a dead run is taken over. */
function claimStart(): boolean {
  try {
    writeFileSync(startingFile, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const holder = Number(readOr(startingFile, "0"));
    if (holder > 0 && !isAlive(holder)) rmSync(startingFile, { force: true });
    return false;
  }
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return otherwise;
  }
}

function launchCluster(): void {
  const as = runAs();
  const folder = join(clusterHome, crypto.randomUUID().slice(0, 8));
  const data = join(folder, "data");
  privateFolder(as, folder);
  privateFolder(as, join(folder, "run"));
  writeFileSync(join(folder, "alive"), "");
  const programs = copyPrograms(as, findPackage(), programsHome);
  ensureCluster(as, programs, data);
  const options = Object.entries({ ...clusterSettings, unix_socket_directories: join(folder, "run") });
  const server = [join(programs, "postgres"), "-D", data];
  for (const [name, value] of options) server.push("-c", `${name}=${value}`);
  const log = openSync(join(folder, "log"), "a");
  startCommandAs(as, ["sh", "-c", untilIdle, "sh", folder, ...server], { stdin: "ignore", log }).unref();
  writeFileSync(currentFile, folder);
}

async function waitForCluster(): Promise<void> {
  for (let wait = 0; wait < 200 && findRunningFolder() === undefined; wait++) await Bun.sleep(50);
}
