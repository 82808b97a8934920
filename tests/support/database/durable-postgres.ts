import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClient } from "../../../db/client.ts";
import { ensureCluster, privateFolder, readPostmaster, socketUrl } from "../../../db/embedded/cluster.ts";
import { copyPrograms, findPackage } from "../../../db/embedded/postgres-programs.ts";
import {
  launchPostgres,
  type Server,
  shutDown,
  waitUntilReady,
} from "../../../db/embedded/postgres-server.ts";
import { type RunAs, runAs, runCommandAs } from "../../../db/embedded/run-command.ts";
import { waitUntil } from "../wait-until.ts";

/** A Postgres of its own that keeps what it acknowledges, as in production. */
export type DurablePostgres = {
  readonly url: string;
  /** Ends it at once and without a word to disk (SIGQUIT, as `pg_ctl stop -m immediate`). */
  stopAtOnce(): Promise<void>;
  /** Starts it again on the same data; ends once it has recovered. */
  start(): Promise<void>;
  /** A copy of its data, taken while it runs, and its end at a later moment by the WAL that it has archived; `archived: true` alone has it. */
  baseBackup(): Promise<{ recover(until: string): Promise<Standby> }>;
  /** A copy of it that follows it and takes no writes (streaming replication); it ends before this one does. */
  standby(): Promise<Standby>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
};
export type Standby = { readonly url: string; stop(): Promise<void> };

/**
 * Starts one with the product's own settings: fsync and synchronous_commit are on. It ends with this process. With `archived` it keeps its WAL
 * in a folder beside, as docs/operations.md has it.
 */
export async function startDurablePostgres(options: { archived?: boolean } = {}): Promise<DurablePostgres> {
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
  const wal = join(home, "wal");
  privateFolder(as, wal);
  if (options.archived) appendSettings(as, data, archiveSettings(wal));
  let server: Server;
  const start = async () => {
    server = launchPostgres({ place: { as, home, shelter: folder }, programs, data, socketFolder });
    if (!(await waitUntilReady(server, data))) throw new Error(`Postgres did not start; see ${home}/log`);
  };
  await start();
  return {
    url,
    start,
    baseBackup: async () => {
      const base = { data: join(home, "base"), socketFolder: join(home, "run-base") };
      privateFolder(as, base.socketFolder);
      await copyBeside({ as, url, data, to: base.data });
      return {
        recover: async (until) => {
          appendSettings(as, base.data, recoverySettings(wal, until));
          assertSucceeded(runCommandAs(as, ["touch", join(base.data, "recovery.signal")]));
          const recovered = launchPostgres({ place: { as, home, shelter: folder }, programs, ...base });
          const address = url.replace(
            encodeURIComponent(socketFolder),
            encodeURIComponent(base.socketFolder),
          );
          await untilWritable(address);
          return { url: address, stop: () => shutDown(recovered) };
        },
      };
    },
    standby: async () => {
      const copy = { data: join(home, "standby"), socketFolder: join(home, "run-standby") };
      privateFolder(as, copy.socketFolder);
      await copyBeside({ as, url, data, to: copy.data });
      const { username, password } = new URL(url);
      const primary = `host=${socketFolder} user=${username} password=${password}`;
      appendSettings(as, copy.data, [`primary_conninfo = '${primary}'`]);
      assertSucceeded(runCommandAs(as, ["touch", join(copy.data, "standby.signal")]));
      const follower = launchPostgres({ place: { as, home, shelter: folder }, programs, ...copy });
      const address = url.replace(encodeURIComponent(socketFolder), encodeURIComponent(copy.socketFolder));
      await waitUntil(() => isAnswering(address), 30_000);
      return { url: address, stop: () => shutDown(follower) };
    },
    stopAtOnce: async () => {
      const running = readPostmaster(data);
      if (running !== undefined) process.kill(running.pid, "SIGQUIT");
      await server.exited;
    },
    stop: async () => {
      await shutDown(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The settings of the recipe in docs/operations.md. */
const archiveSettings = (wal: string) => [
  "archive_mode = on",
  `archive_command = 'test ! -f ${wal}/%f && cp %p ${wal}/%f'`,
  "archive_timeout = 60",
];
const recoverySettings = (wal: string, until: string) => [
  `restore_command = 'cp ${wal}/%f %p'`,
  `recovery_target_time = '${until}'`,
  "recovery_target_action = 'promote'",
];

function appendSettings(as: RunAs, data: string, lines: readonly string[]): void {
  assertSucceeded(
    runCommandAs(as, ["tee", "--append", join(data, "postgresql.auto.conf")], `${lines.join("\n")}\n`),
  );
}

type Copy = { as: RunAs; url: string; data: string; to: string };

/** A base backup by hand: the packaged Postgres has no pg_basebackup. */
async function copyBeside({ as, url, data, to }: Copy): Promise<void> {
  const client = openClient(url, { max: 1 });
  try {
    await client`SELECT pg_backup_start('standby', true)`;
    assertSucceeded(runCommandAs(as, ["cp", "--archive", data, to]));
    const [done] = await client<Array<{ label: string }>>`
      SELECT labelfile AS label FROM pg_backup_stop(wait_for_archive => false)`;
    assertSucceeded(runCommandAs(as, ["tee", join(to, "backup_label")], done?.label));
    assertSucceeded(runCommandAs(as, ["rm", join(to, "postmaster.pid")]));
  } finally {
    await client.end();
  }
}

function assertSucceeded(done: { status: number; output: string }): void {
  if (done.status !== 0) throw new Error(done.output);
}

/** Until it has replayed what it shall and takes writes. */
async function untilWritable(url: string): Promise<void> {
  await waitUntil(async () => {
    const client = openClient(url, { max: 1, connect_timeout: 1 });
    return client`SELECT pg_is_in_recovery() AS recovering`
      .then(
        ([row]) => row?.recovering === false,
        () => false,
      )
      .finally(() => client.end({ timeout: 1 }));
  }, 60_000);
}

async function isAnswering(url: string): Promise<boolean> {
  const client = openClient(url, { max: 1, connect_timeout: 1 });
  return client`SELECT 1`
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.end({ timeout: 1 }));
}
