import { createHash } from "node:crypto";
import { createWriteStream, rmSync } from "node:fs";
import { access, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { version } from "../../package.json";
import { type Executor, runInSnapshot, type Tx } from "../client.ts";
import { openFileStore as place } from "../files.ts";
import { keyPlace, keyRefusal, keysAtHand } from "../secrets/encryption-key-check.ts";
import { applyTransactionSettings, driverTransactionOf } from "./driver-transaction.ts";
import { encryptStream } from "./encryption.ts";
import { FORMAT, type Header, type Manifest } from "./manifest.ts";
import { latestMigration, readSchemaState } from "./schema-state.ts";
import { contentOf, listSequences, listTables, listTimeSpans, type Table } from "./tables.ts";
import { tarEnd, tarEntry } from "./tar.ts";

/** Target chunk size, and so the size of the buffer held in memory. */
const PIECE_BYTES = 4_000_000;

/** What the modules contribute to a backup, read in its snapshot. */
export type Sources = {
  /** The names of all files that rows refer to. */
  files(tx: Tx): AsyncIterable<string>;
  /** Whether a row still refers to a file, read after the snapshot: a file erased meanwhile is not lost. */
  stillNamed(name: string): Promise<boolean>;
  /** Whether an available key opens what is sealed in the database. */
  keyFits(exec: Executor): Promise<boolean>;
  ledger(tx: Tx): Promise<Manifest["ledger"]>;
  head(tx: Tx): Promise<Manifest["head"]>;
};

/** `lost`: files that rows refer to and that do not exist. */
export type SavedArchive = { manifest: Manifest; digest: string; bytes: number; lost: string[] };

/** A backup that cannot be made. The message gives the operator the reason. */
export class NoBackup extends Error {
  override name = "NoBackup";
}

/** The time of the archive and the recipients (`age1…`) it is encrypted for; none: it is not encrypted. */
export type ArchiveOptions = { at: Date; recipients: readonly string[] };

/**
 * Writes one archive with everything the database holds, as of one moment, and every file that its rows name, without blocking writers.
 * `#db/client` must be connected. The archive gets its name once it is complete, and only its owner can read it. Memory use is a few
 * megabytes however large the database is. Throws NoBackup if `path` exists, the database is of another version of Midman, or its key is
 * not available.
 */
export async function saveToFile(
  path: string,
  sources: Sources,
  making: ArchiveOptions,
): Promise<SavedArchive> {
  if (await pathExists(path)) throw new NoBackup(`${path} exists already`);
  const partial = `${path}.${process.pid}.part`;
  // An unencrypted archive holds names and conversations: a process that is terminated meanwhile must leave no part of it behind.
  const drop = () => rmSync(partial, { force: true });
  process.once("exit", drop);
  try {
    const saved = await saveToStream(
      createWriteStream(partial, { flags: "wx", mode: 0o600 }),
      sources,
      making,
    );
    await syncPath(partial);
    await rename(partial, path);
    await syncPath(dirname(path));
    return saved;
  } finally {
    drop();
    process.off("exit", drop);
  }
}

/** The same into a stream, which it ends. The reader must discard the bytes unless the returned promise is fulfilled. */
export async function saveToStream(
  out: Writable,
  sources: Sources,
  { at, recipients }: ArchiveOptions,
): Promise<SavedArchive> {
  let brokeOff: Error | undefined;
  const saving = runInSnapshot(async (tx) => {
    const result: Result = { lost: [], bytes: 0 };
    await pipeline(
      archiveContents(tx, sources, at, result),
      createZstdCompress(),
      async function* (packed: AsyncIterable<Uint8Array>) {
        for await (const bytes of recipients.length > 0 ? encryptStream(packed, recipients) : packed) {
          result.bytes += bytes.length;
          yield bytes;
        }
      },
      out,
    ).catch((error: Error) => {
      brokeOff = error;
      throw error;
    });
    return result as Required<Result>;
  });
  return saving.catch((error: Error) => {
    // A COPY that was broken off takes no ROLLBACK, and the refusal of that would hide why.
    throw brokeOff ?? error;
  });
}

type Result = { manifest?: Manifest; digest?: string; lost: string[]; bytes: number };

async function* archiveContents(
  tx: Tx,
  sources: Sources,
  at: Date,
  result: Result,
): AsyncGenerator<Uint8Array> {
  await applyTransactionSettings(tx);
  const header = await headerNow(tx, sources, at);
  yield* archiveEntry("midman.json", JSON.stringify(header));
  const found: Manifest["tables"] = [];
  for (const table of await listTables(tx)) {
    const { sum } = await contentOf(tx, table);
    const written = yield* rowsOf(tx, table);
    found.push({ ...table, ...written, sum });
  }
  const files = yield* filesOf(tx, sources, result.lost);
  const manifest: Manifest = {
    header,
    tables: found,
    sequences: await listSequences(tx),
    spans: await listTimeSpans(tx),
    files,
    ledger: await sources.ledger(tx),
    head: await sources.head(tx),
  };
  const text = JSON.stringify(manifest);
  const digest = createHash("sha256").update(text).digest("hex");
  yield* archiveEntry("manifest.json", text);
  yield* archiveEntry("manifest.sha256", `${digest}\n`);
  yield tarEnd;
  Object.assign(result, { manifest, digest });
}

async function headerNow(tx: Tx, sources: Sources, at: Date): Promise<Header> {
  const stands = await readSchemaState(tx);
  if (stands?.migration.when !== latestMigration().when) {
    const told = stands === undefined ? "there is none of Midman's" : `it is at ${stands.migration.tag}`;
    throw new NoBackup(
      `the database does not belong to this version of Midman (${told}, this one is at ${latestMigration().tag}): back it up with the version that ran on it`,
    );
  }
  const [server] = await driverTransactionOf(tx)<
    Array<{ version: string }>
  >`SELECT current_setting('server_version') AS version`;
  return {
    ...{ format: FORMAT, version, postgres: server?.version ?? "", takenAt: at.toISOString() },
    ...{ ...stands, keys: await keysOf(tx, sources) },
  };
}

/**
 * The fingerprints of the keys that a restore of the archive needs. Throws NoBackup if no key is available or it does not fit the database:
 * a newly generated key, or another one, would open nothing sealed in the archive.
 */
async function keysOf(tx: Tx, sources: Sources): Promise<string[]> {
  const { there, place } = keyPlace();
  if (!there)
    throw new NoBackup(`no key is available: set ENCRYPTION_KEY as on the instances, or bring ${place}`);
  const refusal = await keyRefusal(sources.keyFits, tx);
  if (refusal !== undefined) throw new NoBackup(refusal);
  return keysAtHand();
}

/** A table's rows in the text form of COPY, in chunks of whole rows. */
async function* rowsOf(
  tx: Tx,
  { name, columns }: Table,
): AsyncGenerator<Uint8Array, { rows: number; bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  const total = { rows: 0, bytes: 0 };
  let [kept, length, piece]: [Uint8Array[], number, number] = [[], 0, 0];
  const ready = function* () {
    yield* archiveEntry(`tables/${name}/${String(++piece).padStart(6, "0")}`, Buffer.concat(kept));
    [kept, length] = [[], 0];
  };
  for await (const bytes of streamCopy(tx, `COPY (SELECT ${columns.join(", ")} FROM ${name}) TO STDOUT`)) {
    hash.update(bytes);
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) total.rows += 1;
    total.bytes += bytes.length;
    kept.push(bytes);
    length += bytes.length;
    if (length >= PIECE_BYTES) yield* ready(); // a chunk is of whole rows
  }
  if (length > 0) yield* ready();
  return { ...total, sha256: hash.digest("hex") };
}

async function* streamCopy(tx: Tx, statement: string): AsyncGenerator<Buffer> {
  const stream = await driverTransactionOf(tx).unsafe(statement).readable();
  yield* stream as AsyncIterable<Buffer>;
  // If the last rows filled the stream, the driver has stopped reading the connection and would never see another reply.
  stream._read(0);
}

async function* filesOf(
  tx: Tx,
  sources: Sources,
  lost: string[],
): AsyncGenerator<Uint8Array, Manifest["files"]> {
  const hash = createHash("sha256");
  const total = { count: 0, bytes: 0, missing: [] as string[] };
  for await (const name of sources.files(tx)) {
    const bytes = await place().get(name);
    if (bytes === undefined) {
      total.missing.push(name);
      if (await sources.stillNamed(name)) lost.push(name);
      continue;
    }
    const digest = createHash("sha256").update(bytes).digest("hex");
    hash.update(`${name} ${digest}\n`);
    total.count += 1;
    total.bytes += bytes.length;
    yield* archiveEntry(`files/${digest}/${name}`, bytes);
  }
  return { ...total, sha256: hash.digest("hex") };
}

function archiveEntry(name: string, bytes: Uint8Array | string): Generator<Uint8Array> {
  return tarEntry({ name, bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes });
}

/**
 * Flushes a file or folder to the disk. An archive lost in a power cut is no backup, so the file and its name are flushed before success is
 * reported.
 */
async function syncPath(path: string): Promise<void> {
  const opened = await open(path, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

async function pathExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
