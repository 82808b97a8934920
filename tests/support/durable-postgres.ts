import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClient } from "../../db/client.ts";
import { copyPrograms, findPackage } from "../../db/embedded/binaries.ts";
import { ensureCluster, postmaster, privateFolder, socketUrl } from "../../db/embedded/cluster.ts";
import { type RunAs, run, runAs } from "../../db/embedded/run.ts";
import { becomeReady, launch, type Server, shutDown } from "../../db/embedded/server.ts";
import { until } from "./until.ts";

/** A Postgres of its own that keeps what it acknowledges, as in production. */
export type DurablePostgres = {
  readonly url: string;
  /** Ends it at once and without a word to disk (SIGQUIT, as `pg_ctl stop -m immediate`). */
  stopAtOnce(): Promise<void>;
  /** Starts it again on the same data; ends once it has recovered. */
  start(): Promise<void>;
  /** A copy of it that follows it and takes no writes (streaming replication); it ends before this one does. */
  standby(): Promise<Standby>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
};
export type Standby = { readonly url: string; stop(): Promise<void> };

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
    standby: async () => {
      const copy = { data: join(home, "standby"), socketFolder: join(home, "run-standby") };
      privateFolder(as, copy.socketFolder);
      await copyBeside({ as, url, data, to: copy.data, primary: socketFolder });
      const follower = launch({ place: { as, home, shelter: folder }, programs, ...copy });
      const address = url.replace(encodeURIComponent(socketFolder), encodeURIComponent(copy.socketFolder));
      await until(() => answers(address), 30_000);
      return { url: address, stop: () => shutDown(follower) };
    },
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

type Copy = { as: RunAs; url: string; data: string; to: string; primary: string };

/** A base backup by hand: the packaged Postgres has no pg_basebackup. */
async function copyBeside({ as, url, data, to, primary }: Copy): Promise<void> {
  const client = openClient(url, { max: 1 });
  try {
    await client`SELECT pg_backup_start('standby', true)`;
    must(run(as, ["cp", "--archive", data, to]));
    const [done] = await client<Array<{ label: string }>>`
      SELECT labelfile AS label FROM pg_backup_stop(wait_for_archive => false)`;
    const { username, password } = new URL(url);
    const line = `primary_conninfo = 'host=${primary} user=${username} password=${password}'\n`;
    must(run(as, ["tee", join(to, "backup_label")], done?.label));
    must(run(as, ["tee", "--append", join(to, "postgresql.auto.conf")], line));
    must(run(as, ["rm", join(to, "postmaster.pid")]));
    must(run(as, ["touch", join(to, "standby.signal")]));
  } finally {
    await client.end();
  }
}

function must(done: { status: number; output: string }): void {
  if (done.status !== 0) throw new Error(done.output);
}

async function answers(url: string): Promise<boolean> {
  const client = openClient(url, { max: 1, connect_timeout: 1 });
  return client`SELECT 1`
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.end({ timeout: 1 }));
}
