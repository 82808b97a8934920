import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../../db/embedded/processes.ts";
import { freshDatabase } from "../database/test-database.ts";
import { agreeForAdministrators } from "../people/consents.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { createHttpClient } from "./http-client.ts";
import { freePort, repositoryRoot, type Server, serverEnvironment, untilReady } from "./midman-server.ts";

/** A server without the calls that end it: other test files use it too. */
export type SharedServer = Omit<Server, "kill" | "stop" | "status" | "tell">;

type ServerRecord = Pick<Server, "pid" | "port" | "databaseUrl" | "dataDir">;

/** Where the files of one worker find its server: each runs with a global object of its own, so a variable would not last. */
const recordFile = join(tmpdir(), `midman-worker-${process.pid}.json`);

/**
 * The server with default settings that the files of this test worker share, with its database. The first file that asks starts it; it ends
 * after the worker's process. It is for tests that look only at people, rooms and trades of their own. A test that counts all rows, proves
 * the books, changes an administrator or a setting, halts money, measures waits or reads
 * the whole log must use `startServer()`.
 */
export async function sharedServer(): Promise<SharedServer> {
  const { pid, port, databaseUrl, dataDir } = (await findRunningServer()) ?? (await launchServer());
  const url = urlOf(port);
  return {
    url,
    port,
    pid,
    databaseUrl,
    dataDir,
    output: () => readFileSync(logOf(dataDir), "utf8"),
    client: (headers) => createHttpClient(url, headers),
  };
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`;
const logOf = (dataDir: string) => join(dataDir, "server.log");

async function findRunningServer(): Promise<ServerRecord | undefined> {
  try {
    const found: ServerRecord = JSON.parse(readFileSync(recordFile, "utf8"));
    return isAlive(found.pid) && (await fetch(`${urlOf(found.port)}/readyz`)).ok ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Bun ends the child processes of a test file after the file, so a shell starts the server as a process of its own. */
async function launchServer(): Promise<ServerRecord> {
  await ensureBuilt(repositoryRoot);
  // A later run drops it, as it does with every database whose process has ended.
  const { url: databaseUrl } = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "midman-server-"));
  const port = await freePort();
  const log = openSync(logOf(dataDir), "a");
  const program = [process.execPath, "tests/support/programs/worker-server.ts"];
  const launcher = Bun.spawnSync(["sh", "-c", '"$@" >&3 2>&3 3>&- & echo $!', "sh", ...program], {
    cwd: repositoryRoot,
    env: {
      ...serverEnvironment(port, databaseUrl, dataDir),
      WORKER_PID: String(process.pid),
      WORKER_RECORD: recordFile,
    },
    stdio: ["ignore", "pipe", "inherit", log],
  });
  closeSync(log);
  const record = { pid: Number(launcher.stdout.toString()), port, databaseUrl, dataDir };
  const hasEnded = () => !isAlive(record.pid);
  await untilReady(urlOf(port), hasEnded, () => readFileSync(logOf(dataDir), "utf8")).catch((error) => {
    if (!hasEnded()) process.kill(record.pid, "SIGKILL");
    throw error;
  });
  await agreeForAdministrators(databaseUrl);
  writeFileSync(recordFile, JSON.stringify(record));
  return record;
}
