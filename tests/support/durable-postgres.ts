import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyPrograms, findPackage } from "../../db/embedded/binaries.ts";
import { ensureCluster, postmaster, privateFolder, socketUrl } from "../../db/embedded/cluster.ts";
import { runAs } from "../../db/embedded/run.ts";
import { becomeReady, launch, type Server, shutDown } from "../../db/embedded/server.ts";

/** A Postgres of its own that keeps what it acknowledges, as in production. */
export type DurablePostgres = {
  readonly url: string;
  /** Ends it at once and without a word to disk (SIGQUIT, as `pg_ctl stop -m immediate`). */
  stopAtOnce(): Promise<void>;
  /** Starts it again on the same data; ends once it has recovered. */
  start(): Promise<void>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
};

/** Starts one with the product's own settings: fsync and synchronous_commit are on. It ends with this process. */
export async function durablePostgres(): Promise<DurablePostgres> {
  const as = runAs();
  const folder = mkdtempSync(join(tmpdir(), "midman-durable-"));
  chmodSync(folder, 0o755); // run by root, the database belongs to another user, who must pass through
  const home = join(folder, "postgres");
  const socketFolder = join(home, "run");
  const data = join(home, "data");
  privateFolder(as, home);
  privateFolder(as, socketFolder);
  const programs = copyPrograms(as, findPackage(), join(tmpdir(), `midman-tests-${process.getuid?.() ?? 0}`));
  const url = socketUrl(socketFolder, ensureCluster(as, programs, data));
  let server: Server;
  const start = async () => {
    server = launch({ place: { as, home, shelter: folder }, programs, data, socketFolder });
    if (!(await becomeReady(server, data))) throw new Error(`Postgres did not start; see ${home}/log`);
  };
  await start();
  return {
    url,
    start,
    stopAtOnce: async () => {
      const running = postmaster(data);
      if (running !== undefined) process.kill(running.pid, "SIGQUIT");
      await server.exited;
    },
    stop: async () => {
      await shutDown(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
