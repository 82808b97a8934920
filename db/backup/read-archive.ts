import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { decryptStream } from "./encryption.ts";
import { FORMAT, type Header, headerSchema, type Manifest, manifestSchema } from "./manifest.ts";
import { BadArchive, type Entry, readTar } from "./tar.ts";

/** The path of an archive, and the file with the identity it is encrypted for, if it is. */
export type Archive = { path: string; identityFile?: string | undefined };

/** The items of an archive in their order: the header, rows in the text form of COPY, files, and the manifest that describes them. */
export type Item =
  | { kind: "header"; header: Header; digest: string }
  | { kind: "rows"; table: string; bytes: Uint8Array }
  | { kind: "file"; name: string; bytes: Uint8Array }
  | { kind: "manifest"; manifest: Manifest; digest: string };

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

type TableTallies = Map<string, { rows: number; bytes: number; hash: ReturnType<typeof createHash> }>;

/**
 * Reads an archive from beginning to end, a few megabytes at a time, and checks every digest. The manifest comes last, once everything has
 * matched it. Throws BadArchive, which names what is wrong.
 */
export async function* readArchive(archive: Archive): AsyncGenerator<Item> {
  const tables: TableTallies = new Map();
  const files = { count: 0, bytes: 0, hash: createHash("sha256") };
  let first: Header | undefined;
  let last: { bytes: Uint8Array } | undefined;
  let proved: Item | undefined;
  for await (const { name, bytes } of readEntries(archive)) {
    const [kind, ...rest] = name.split("/");
    if (proved !== undefined) throw new BadArchive(`it holds ${name}, which it should not`);
    if (first === undefined) {
      first = headerOf(name, bytes);
      yield { kind: "header", header: first, digest: sha256(bytes) };
    } else if (kind === "tables") {
      const table = rest[0] ?? "";
      tallyTable(tables, table, bytes);
      yield { kind: "rows", table, bytes };
    } else if (kind === "files") {
      const [digest = "", file = ""] = rest;
      if (sha256(bytes) !== digest) throw new BadArchive(`the file ${file} was altered`);
      files.count += 1;
      files.bytes += bytes.length;
      files.hash.update(`${file} ${digest}\n`);
      yield { kind: "file", name: file, bytes };
    } else if (name === "manifest.json") last = { bytes };
    else if (name === "manifest.sha256" && last !== undefined) {
      const digest = sha256(last.bytes);
      if (Buffer.from(bytes).toString("utf8").trim() !== digest)
        throw new BadArchive("its manifest was altered");
      const whole = parseEntry(manifestSchema, last.bytes);
      assertManifestMatches(whole, first, tables, { ...files, sha256: files.hash.digest("hex") });
      proved = { kind: "manifest", manifest: whole, digest };
    } else throw new BadArchive(`it holds ${name}, which it should not`);
  }
  if (proved === undefined) throw new BadArchive("it is truncated");
  yield proved;
}

/** Verifies an archive without a database and returns its manifest and digest. Throws BadArchive. */
export async function proveArchive(archive: Archive): Promise<{ manifest: Manifest; digest: string }> {
  for await (const item of readArchive(archive)) if (item.kind === "manifest") return item;
  throw new BadArchive("it is truncated");
}

async function* readEntries({ path, identityFile }: Archive): AsyncGenerator<Entry> {
  const stored = createReadStream(path);
  const unpacked = createZstdDecompress();
  const packed = Readable.from(decryptStream(stored, identityFile), { objectMode: false });
  packed.on("error", (error) => unpacked.destroy(error));
  try {
    yield* readTar(packed.pipe(unpacked));
  } catch (error) {
    if (error instanceof BadArchive) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (/^E[A-Z]+$/.test(code)) throw error; // an error of the disk, not of the archive
    throw new BadArchive("it is truncated, damaged, or not an archive of Midman");
  } finally {
    stored.destroy();
    packed.destroy();
    unpacked.destroy();
  }
}

function headerOf(name: string, bytes: Uint8Array): Header {
  if (name !== "midman.json") throw new BadArchive("it is not an archive of Midman");
  const { format } = JSON.parse(Buffer.from(bytes).toString("utf8")) as { format?: number };
  if (format !== FORMAT)
    throw new BadArchive(`its format is ${format}, of a newer version of Midman; this one reads ${FORMAT}`);
  return parseEntry(headerSchema, bytes);
}

function parseEntry<T>(schema: { safeParse(value: unknown): { data?: T } }, bytes: Uint8Array): T {
  const { data } = schema.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
  if (data === undefined) throw new BadArchive("it has no manifest");
  return data;
}

function tallyTable(tables: TableTallies, table: string, bytes: Uint8Array): void {
  const seen = tables.get(table) ?? { rows: 0, bytes: 0, hash: createHash("sha256") };
  tables.set(table, seen);
  seen.hash.update(bytes);
  seen.bytes += bytes.length;
  seen.rows += linesOf(bytes);
}

/** The number of rows: COPY writes each as one line and escapes line breaks within values. */
function linesOf(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}

function assertManifestMatches(
  whole: Manifest,
  first: Header,
  tables: TableTallies,
  files: { count: number; bytes: number; sha256: string },
): void {
  if (JSON.stringify(whole.header) !== JSON.stringify(first)) throw new BadArchive("its header was altered");
  for (const { name, rows, bytes, sha256: digest } of whole.tables) {
    const seen = tables.get(name);
    tables.delete(name);
    const right =
      seen === undefined
        ? rows === 0
        : seen.rows === rows && seen.bytes === bytes && seen.hash.digest("hex") === digest;
    if (!right) throw new BadArchive(`the table ${name} was altered`);
  }
  for (const name of tables.keys()) throw new BadArchive(`the table ${name} was added`);
  const same = ["count", "bytes", "sha256"] as const;
  if (same.some((key) => whole.files[key] !== files[key]))
    throw new BadArchive("a file was added or is missing");
}
