import { existsSync, readdirSync, statfsSync, unlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { config, publicUrl } from "#config";
import { currentTime } from "#db/clock";
import { openFileStore } from "#db/files";
import { dataPath } from "#db/files/data-directory";
import { log } from "#db/log";
import { admitKey } from "#db/secrets/encryption-key-check";
import { recordMovedDatabase, rememberInstance } from "#db/startup/instance-record";
import { canOpenEvidenceKey, countOlderVaultKeys } from "#modules/escrow";
import { checkMailServer } from "#modules/mailer";
import { checkProviderAccess, findProviderMismatch } from "#modules/payments";
import { findListenProblem } from "./listening-port.ts";

const requiredBuildFiles = ["server/index.js", "scripts.json", "client"];
const MINIMUM_FREE_BYTES = 200 * 1024 * 1024;

/**
 * The address this instance listens on. `reusePort` is off: another instance on the same port would silently get every second connection.
 */
export function readListenAddress(): { port: number; hostname: string; reusePort: false } {
  const { PORT: port, HOST: hostname } = config();
  return { port, hostname, reusePort: false };
}

/** Throws, in one line, if the port cannot be listened on. */
export function checkPort(): void {
  refuseStartFor(findListenProblem(readListenAddress()));
}

/** Throws with one line per reason, if there are any. */
function refuseStartFor(...reasons: Array<string | undefined>): void {
  const lines = reasons.filter((reason) => reason !== undefined);
  if (lines.length > 0) throw new Error(`Midman cannot start.\n${lines.join("\n")}`);
}

/** Throws one line per reason if Midman cannot run here at all. Called before anything is opened. */
export function checkLocalSetup(): void {
  refuseStartFor(
    findBuildProblem(),
    findDataDirectoryProblem(),
    findBankLogosProblem(),
    findListenProblem(readListenAddress()),
  );
}

function findBuildProblem(): string | undefined {
  const root = join(import.meta.dir, "..", "..", "..", "build");
  const whole = requiredBuildFiles.every((name) => existsSync(join(root, name)));
  return whole ? undefined : "the pages were not built, or not completely: run `bun run build`";
}

function findDataDirectoryProblem(): string | undefined {
  try {
    const probe = dataPath(`probe-${crypto.randomUUID().slice(0, 8)}`);
    try {
      writeFileSync(probe, "x", { flag: "wx", mode: 0o600 });
    } finally {
      if (existsSync(probe)) unlinkSync(probe);
    }
    const { bavail, bsize } = statfsSync(config().DATA_DIR);
    const free = Number(bavail) * Number(bsize);
    if (free < MINIMUM_FREE_BYTES)
      log().warn({ megabytes: Math.round(free / 2 ** 20) }, "DATA_DIR is nearly full");
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    if (code !== "ENOSPC") return `DATA_DIR: ${resolve(config().DATA_DIR)} cannot be written to (${code})`;
    // Existing data can still be read, and the embedded database reports by itself that it has no space.
    log().warn("DATA_DIR is full");
    return undefined;
  }
}

function findBankLogosProblem(): string | undefined {
  const { BANK_LOGOS_DIR: folder } = config();
  if (folder === undefined) return undefined;
  try {
    readdirSync(folder);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return `BANK_LOGOS_DIR: ${resolve(folder)} is not a folder that can be read (${code})`;
  }
}

/** Throws if the ledger belongs to another provider than the configured one: trial and real trades must never mix. */
export async function checkMoneyProvider(): Promise<void> {
  refuseStartFor(await findProviderMismatch());
}

/** Throws if the configured encryption key is not one that this database knows: nobody could open what it would seal. */
export async function checkEncryptionKey(): Promise<void> {
  refuseStartFor(await admitKey(canOpenEvidenceKey, currentTime()));
}

/** Records which instance serves this database and, in DATA_DIR, where the data is: commands tell the operator what they act on. */
export async function recordInstanceLocation(): Promise<void> {
  await rememberInstance(currentTime());
  recordMovedDatabase(currentTime());
}

/**
 * Logs one line for each external service that does not respond or refuses access. The start continues, because each may be back in a
 * minute, and the features that need it wait or report it.
 */
export async function checkExternalServices(): Promise<void> {
  const { TRUST_PROXY, S3_BUCKET } = config();
  const { protocol, hostname } = new URL(publicUrl());
  if (TRUST_PROXY && protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname)) {
    log().warn("PUBLIC_URL is not https: cookies and links are sent unencrypted");
  }
  const { unopened } = await countOlderVaultKeys();
  if (unopened.length > 0) {
    log().error(
      { trades: unopened },
      "no available key opens some vault records: add the key that sealed them to ENCRYPTION_KEYS_BEFORE",
    );
  }
  const asked: Array<[says: string, fails: Promise<string | undefined>]> = [
    [
      "S3_BUCKET cannot be written to: pictures cannot be sent",
      S3_BUCKET === undefined ? noFailure : findBucketProblem(),
    ],
    ["SMTP_URL does not accept mail at the moment", checkMailServer()],
    ["QPAY_BASE_URL does not accept Midman's credentials, or does not answer", checkProviderAccess()],
  ];
  for (const [says, fails] of asked) {
    const reason = await fails;
    if (reason !== undefined) log().warn({ reason }, says);
  }
}

const noFailure = Promise.resolve(undefined);

/** Stores and removes a probe file. */
async function findBucketProblem(): Promise<string | undefined> {
  const name = `${crypto.randomUUID()}-probe.txt`;
  try {
    await openFileStore().put(name, new Uint8Array([120]), "text/plain");
    await openFileStore().remove(name);
    return undefined;
  } catch (error) {
    const cause = (error as Error).cause;
    return String(
      (cause as { code?: unknown } | undefined)?.code ?? (cause as Error | undefined)?.name ?? "unknown",
    );
  }
}
