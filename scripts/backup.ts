/**
 * Saves all of Midman's data in one archive: `bun run backup [<file or folder>|-]`, beside a running instance or alone. Without a name the
 * archive goes to DATA_DIR/backups, with `-` to standard output, with `s3://bucket/key` into a bucket. With BACKUP_RECIPIENTS it is
 * encrypted while it is written. `--keep 7,4,12` then removes older archives from the folder. `bun run backup --verify <archive>` verifies
 * an archive without a database. Exits with 0 if the archive is complete; with 2 if it is, but something else failed (a ledger that does
 * not verify, a lost picture, a lost key, the journal of erasures); with 1 if there is no archive.
 */
import "./console/console-settings.ts";

import { createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { backupRecipients } from "#config";
import { proveArchive } from "#db/backup/read-archive";
import { archiveName, expiredArchives, type RetentionRule } from "#db/backup/retention";
import { type SavedArchive, saveToFile, saveToStream } from "#db/backup/save-archive";
import { parseBucketUrl, saveToBucket } from "#db/backup/save-to-bucket";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { dataPath } from "#db/files/data-directory";
import { keyPlace } from "#db/secrets/encryption-key-check";
import { recordAuditEntry } from "#modules/audit";
import { countOlderVaultKeys } from "#modules/escrow";
import { contentLines, formatMegabytes, formatPace, unpackedBytes } from "./backup/archive-summary.ts";
import { copyErasures } from "./backup/erasures.ts";
import { backupSources } from "./backup/module-hooks.ts";
import { openForCommand } from "./console/open-for-command.ts";

const backupUsage = `usage: bun run backup [<file or folder>|s3://<bucket>/<key or prefix/>|-] [--keep <days>,<weeks>,<months>]
                                           saves everything in one archive; - is standard output
       bun run backup --verify <archive> [--identity <file>]
                                           verifies an archive; needs no database

With BACKUP_RECIPIENTS (age1…) archives are encrypted. --keep removes older archives from the folder. It keeps the
newest of each day, week and month, for the given numbers of them.`;

/** Wrong usage, and an archive that does not verify: neither is a failed backup. */
class BackupUsageError extends Error {}
class BadProof extends Error {}

/** Prints lines for the operator; to standard error if the archive goes to standard output. */
let printToOperator: (line: string) => void = console.log;

async function runBackupCommand(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      verify: { type: "boolean" },
      help: { type: "boolean" },
      identity: { type: "string" },
      keep: { type: "string" },
    },
  });
  if (values.help) {
    console.log(backupUsage);
    return 0;
  }
  const [place] = positionals;
  const keep = values.keep === undefined ? undefined : parseRetention(values.keep);
  if (positionals.length > 1 || (values.verify && (place === undefined || place === "-")))
    throw new BackupUsageError(backupUsage);
  if (values.verify ? keep !== undefined : values.identity !== undefined)
    throw new BackupUsageError(backupUsage);
  if (keep !== undefined && !isFolder(place))
    throw new BackupUsageError(`--keep needs a folder of archives.\n${backupUsage}`);
  return values.verify ? verifyArchive(place ?? "", values.identity) : makeBackup(place, keep);
}

/** Parses `--keep`: three whole numbers. */
function parseRetention(given: string): RetentionRule {
  const [, days, weeks, months] = /^(\d{1,3}),(\d{1,3}),(\d{1,3})$/.exec(given) ?? [];
  if (days === undefined)
    throw new BackupUsageError(`--keep takes days, weeks and months, such as 7,4,12.\n${backupUsage}`);
  return { days: Number(days), weeks: Number(weeks), months: Number(months) };
}

const isFolder = (place: string | undefined) =>
  place !== "-" &&
  (place === undefined || statSync(place, { throwIfNoEntry: false })?.isDirectory() === true);

async function verifyArchive(path: string, identityFile: string | undefined): Promise<number> {
  const began = performance.now();
  const { manifest, digest } = await proveArchive({ path, identityFile }).catch((error: Error) => {
    throw new BadProof(`The archive failed verification: ${error.message}`);
  });
  for (const line of contentLines(manifest)) printToOperator(line);
  printToOperator(`The archive is intact (${formatPace(unpackedBytes(manifest), began)}); digest ${digest}`);
  return 0;
}

async function makeBackup(place: string | undefined, keep: RetentionRule | undefined): Promise<number> {
  if (place === "-") printToOperator = console.error;
  const database = await openForCommand({ migrated: false });
  try {
    const making = { at: currentTime(), recipients: backupRecipients() };
    const object = parseBucketUrl(place ?? "", archiveName(making.at, making.recipients.length > 0));
    const path = place === "-" || object ? undefined : pathFor(place, making);
    const began = performance.now();
    const out = () => createWriteStream("", { fd: 1, autoClose: false });
    const saved = await (object
      ? saveToBucket(object, backupSources, making)
      : path === undefined
        ? saveToStream(out(), backupSources, making)
        : saveToFile(path, backupSources, making));
    await recordBackup(saved);
    const unkept = path !== undefined && isFolder(place) ? await copyErasures(path) : [];
    const { manifest, digest, bytes, lost } = saved;
    for (const line of contentLines(manifest)) printToOperator(line);
    const seconds = formatPace(unpackedBytes(manifest), began);
    const where = object ? `s3://${object.bucket}/${object.key}` : (path ?? "standard output");
    printToOperator(`${where}: ${formatMegabytes(bytes)} in ${seconds}; digest ${digest}`);
    const { older, unopened } = await countOlderVaultKeys();
    reportKeys(older, making.recipients.length > 0);
    const status = reportFaults({ whole: manifest.ledger.whole, lost, unopened, unkept });
    if (path !== undefined && keep !== undefined)
      removeExpired(path, keep, { at: making.at, isSound: status === 0 });
    return status;
  } finally {
    await database.stop();
  }
}

/** Records the archive, its digest and its time in the audit log. */
async function recordBackup({ manifest, digest, bytes }: SavedArchive): Promise<void> {
  const data = { digest, takenAt: manifest.header.takenAt, block: manifest.head?.block ?? 0, bytes };
  await runInTransaction((tx) =>
    recordAuditEntry(tx, { by: { userId: null }, action: "backup_made", at: currentTime(), data }),
  );
}

/**
 * Removes expired archives only if the new one is complete and nothing is missing in it: otherwise an older one may be the last that has
 * it.
 */
function removeExpired(
  path: string,
  keep: RetentionRule,
  { at, isSound }: { at: Date; isSound: boolean },
): void {
  if (!isSound) {
    printToOperator("No older archive was removed.");
    return;
  }
  const folder = dirname(path);
  const expired = expiredArchives(readdirSync(folder), keep, at);
  for (const name of expired) rmSync(join(folder, name));
  if (expired.length > 0) printToOperator(`${expired.length} older archives were removed.`);
}

/**
 * The archive's path. A folder gets a name with the current time. By default it is in DATA_DIR, beside the data, which is not a safe place
 * for long.
 */
function pathFor(place: string | undefined, { at, recipients }: { at: Date; recipients: string[] }): string {
  const name = archiveName(at, recipients.length > 0);
  if (place !== undefined) return isFolder(place) ? join(resolve(place), name) : resolve(place);
  const path = dataPath(`backups/${name}`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  printToOperator(
    "No destination was given: the archive goes to DATA_DIR, and would be lost with it. Copy it elsewhere.",
  );
  return path;
}

/**
 * Reminds the operator of the keys. Without its key an archive keeps some values sealed forever; with the key inside, the archive would
 * open everything.
 */
function reportKeys(older: number, isEncrypted: boolean): void {
  const before = older > 0 ? ` and ENCRYPTION_KEYS_BEFORE (only those open ${older} vault records)` : "";
  printToOperator(
    `Keep ${keyPlace().place}${before} too, apart from the archive: the archive does not contain it, and nothing else opens second factors, vault records and signing keys.`,
  );
  printToOperator(
    isEncrypted
      ? "The archive is encrypted: only the identities of BACKUP_RECIPIENTS open it. Keep them apart from this machine."
      : "The archive is not encrypted and contains people, accounts and conversations: protect it like the database.",
  );
}

type Faults = { whole: boolean; lost: string[]; unopened: number[]; unkept: string[] };

function reportFaults({ whole, lost, unopened, unkept }: Faults): number {
  if (!whole)
    console.error(
      "The ledger failed verification: see bun run ledger:verify. The archive contains it as it is.",
    );
  if (lost.length > 0) {
    console.error(`${lost.length} picture files are missing, such as ${lost.slice(0, 3).join(", ")}.`);
  }
  if (unopened.length > 0)
    console.error(`No available key opens ${unopened.length} vault records: see bun run keys:renew.`);
  for (const line of unkept) console.error(line);
  return whole && [...lost, ...unopened, ...unkept].length === 0 ? 0 : 2;
}

// process.exit runs the exit handlers, which remove a partial archive.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

try {
  process.exit(await runBackupCommand());
} catch (error) {
  const { message, cause } = error as Error;
  const asked = error instanceof BackupUsageError || error instanceof BadProof;
  const because = cause instanceof Error ? ` (${cause.message})` : "";
  console.error(asked ? message : `No backup was made: ${message}${because}`);
  process.exit(1);
}
