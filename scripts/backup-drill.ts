/**
 * Proves that a backup can be restored: `bun run backup:drill <archive or folder> [--identity <file>]`. The archive, or the newest one of a
 * folder, is restored into a separate embedded database in a scratch folder, whose ledger and log are verified; then the folder is removed.
 * The instance's log records when this was done and how long it took. Exits with 0 if the archive can be restored, otherwise with 1.
 * Meanwhile the scratch folder (in TMPDIR) holds everything unencrypted, readable only by this user.
 */
import "./console/console-settings.ts";

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { newestArchive } from "#db/backup/retention";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { keyPlace } from "#db/secrets/encryption-key-check";
import { encryptionKey, encryptionKeysBefore } from "#db/secrets/instance-secrets";
import { recordAuditEntry } from "#modules/audit";
import { openForCommand } from "./console/open-for-command.ts";
import { projectRoot } from "./prepare.ts";

const drillUsage = `usage: bun run backup:drill <archive or folder> [--identity <file>]
                                           restores an archive into a scratch database and verifies it`;

/** Wrong usage. */
class DrillUsageError extends Error {}

async function drillBackup(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: "boolean" }, identity: { type: "string" } },
  });
  if (values.help) {
    console.log(drillUsage);
    return 0;
  }
  const [place] = positionals;
  if (place === undefined || positionals.length > 1) throw new DrillUsageError(drillUsage);
  const archive = archiveAt(place);
  const identity = values.identity === undefined ? [] : ["--identity", resolve(values.identity)];
  const { there, place: keyAt } = keyPlace();
  if (!there) throw new Error(`${keyAt} is missing: the drill needs the instance's key`);
  const database = await openForCommand();
  try {
    const began = performance.now();
    const digest = await restoreAndProve(archive, identity);
    const seconds = Math.round((performance.now() - began) / 1_000);
    const data = { digest, seconds };
    await runInTransaction((tx) =>
      recordAuditEntry(tx, { by: { userId: null }, action: "backup_drilled", at: currentTime(), data }),
    );
    console.log(`${archive} can be restored: rows, ledger and log match what was saved (${seconds} s).`);
    return 0;
  } finally {
    await database.stop();
  }
}

/** The archive itself, or the newest one of a folder, judged by the names that `bun run backup` gives. */
function archiveAt(place: string): string {
  const path = resolve(place);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const newest = newestArchive(readdirSync(path));
  if (newest === undefined) throw new Error(`${path} holds no archive`);
  return join(path, newest);
}

/** Restores the archive into a scratch folder and verifies the result. Returns the archive's digest. The folder is removed. */
async function restoreAndProve(archive: string, identity: string[]): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "midman-drill-"));
  // Run by root, the database runs as another user, who must be able to enter.
  if (process.getuid?.() === 0) chmodSync(scratch, 0o711);
  try {
    const restored = await runOnScratch("restore", [archive, ...identity], scratch);
    for (const proof of ["ledger-verify", "audit-verify"]) await runOnScratch(proof, [], scratch);
    return /digest ([0-9a-f]{64})/.exec(restored)?.[1] ?? "";
  } finally {
    removeScratch(scratch);
  }
}

/** Removes the scratch folder. If its user could not reach it, the cluster lies elsewhere and is removed through the link. */
function removeScratch(scratch: string): void {
  for (const name of readdirSync(scratch)) {
    const path = join(scratch, name);
    if (lstatSync(path).isSymbolicLink() && existsSync(path))
      rmSync(realpathSync(path), { recursive: true, maxRetries: 20, retryDelay: 200 });
  }
  rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}

/** The running command, which ends before the scratch folder is removed. */
let runningCommand: Bun.Subprocess | undefined;
let isStopping = false;

/** Runs another command on the scratch folder alone. Throws its output if it failed. */
async function runOnScratch(command: string, args: string[], scratch: string): Promise<string> {
  if (isStopping) throw new Error("it was stopped by a signal");
  const started = Bun.spawn([process.execPath, `scripts/${command}.ts`, ...args], {
    cwd: projectRoot,
    env: {
      ...environmentWithoutPlaces(),
      ...instanceKeySettings(),
      DATA_DIR: scratch,
      ALLOW_SANDBOX: "true",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  runningCommand = started;
  const [said, wrong] = await Promise.all([
    new Response(started.stdout).text(),
    new Response(started.stderr).text(),
  ]);
  const code = await started.exited;
  // Exit status 2 also means that the archive was restored; only a later erasure could not be repeated.
  if (code !== 0 && !(command === "restore" && code === 2))
    throw new Error(`${command} failed:\n${said}${wrong}`.trim());
  return said;
}

/** The environment without the settings that name the instance's database, bus, bucket or provider, so that the drill cannot reach them. */
function environmentWithoutPlaces(): Record<string, string> {
  const own = /^(DATABASE_|REDIS_|S3_|QPAY_|AUDIT_ANCHOR)/;
  const given = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(given.filter(([name]) => !own.test(name)));
}

/** The instance's keys as settings, because the scratch folder has no key files. */
function instanceKeySettings(): Record<string, string> {
  const hex = (key: Uint8Array) => Buffer.from(key).toString("hex");
  return {
    ENCRYPTION_KEY: hex(encryptionKey()),
    ENCRYPTION_KEYS_BEFORE: encryptionKeysBefore().map(hex).join(","),
  };
}

// Ends the running command too; then the restored data are removed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    isStopping = true;
    runningCommand?.kill("SIGTERM");
  });
}

try {
  process.exit(await drillBackup());
} catch (error) {
  const { message } = error as Error;
  console.error(
    error instanceof DrillUsageError
      ? message
      : `The drill failed; the backup may not be restorable: ${message}`,
  );
  process.exit(1);
}
