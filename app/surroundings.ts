import { existsSync, statfsSync, unlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { config, publicUrl } from "#config";
import { dataPath } from "#db/data";
import { files } from "#db/files";
import { log } from "#db/log";
import { opensEvidenceKey } from "#modules/escrow";
import { mailServerFails } from "#modules/mailer";
import { providerFails } from "#modules/payments";

const built = ["server/index.js", "scripts.json", "client"];
const LEAST_BYTES = 200 * 1024 * 1024;

/** Ends the start where Midman cannot run at all here: throws one line for each reason. Before anything is opened. */
export function checkOwnPlace(): void {
  const lines: string[] = [];
  const root = join(import.meta.dir, "..", "build");
  if (built.some((name) => !existsSync(join(root, name)))) {
    lines.push("the pages were never built, or not whole: run `bun run build`");
  }
  const unwritable = unwritableData();
  if (unwritable !== undefined) lines.push(`DATA_DIR: ${resolve(config().DATA_DIR)} ${unwritable}`);
  if (lines.length > 0) throw new Error(`Midman cannot start.\n${lines.join("\n")}`);
}

function unwritableData(): string | undefined {
  try {
    const probe = dataPath(`probe-${crypto.randomUUID().slice(0, 8)}`);
    try {
      writeFileSync(probe, "x", { flag: "wx", mode: 0o600 });
    } finally {
      if (existsSync(probe)) unlinkSync(probe);
    }
    const { bavail, bsize } = statfsSync(config().DATA_DIR);
    const free = Number(bavail) * Number(bsize);
    if (free < LEAST_BYTES) log().warn({ megabytes: Math.round(free / 2 ** 20) }, "DATA_DIR is nearly full");
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    if (code !== "ENOSPC") return `cannot be written to (${code})`;
    // What is there can still be read, and the embedded database tells by itself that it has no room.
    log().warn("DATA_DIR is full");
    return undefined;
  }
}

/**
 * Tells in the log, a line each, what around Midman does not answer or refuses us. It starts all the same: each of them may be back in
 * a minute, and what needs it waits or says so.
 */
export async function checkSurroundings(): Promise<void> {
  const { TRUST_PROXY, S3_BUCKET } = config();
  const { protocol, hostname } = new URL(publicUrl());
  if (TRUST_PROXY && protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname)) {
    log().warn("PUBLIC_URL is not https: cookies and links go in the clear");
  }
  if (!(await opensEvidenceKey())) {
    log().error("ENCRYPTION_KEY is not the key that this database's secrets are sealed by: they do not open");
  }
  const asked: Array<[says: string, fails: Promise<string | undefined>]> = [
    [
      "S3_BUCKET cannot be written to: pictures cannot be sent",
      S3_BUCKET === undefined ? none : bucketFails(),
    ],
    ["SMTP_URL does not take mail just now", mailServerFails()],
    ["QPAY_BASE_URL does not let us in just now", providerFails()],
  ];
  for (const [says, fails] of asked) {
    const reason = await fails;
    if (reason !== undefined) log().warn({ reason }, says);
  }
}

const none = Promise.resolve(undefined);

/** A file of its own is stored and removed. */
async function bucketFails(): Promise<string | undefined> {
  const name = `${crypto.randomUUID()}-probe.txt`;
  try {
    await files().put(name, new Uint8Array([120]), "text/plain");
    await files().remove(name);
    return undefined;
  } catch (error) {
    const cause = (error as Error).cause;
    return String(
      (cause as { code?: unknown } | undefined)?.code ?? (cause as Error | undefined)?.name ?? "unknown",
    );
  }
}
