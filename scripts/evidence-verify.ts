/**
 * Verifies a bundle of evidence without Midman: `bun scripts/evidence-verify.ts <archive.tar> <public-key.pem>`. It needs
 * nothing but Bun: no network, no database, no other file of this project. Prints what it found; ends with 0 when all is as it
 * was signed and sealed, else with 1.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

type Fields = Record<string, string | null>;
type Listed = { name: string; bytes: number; sha256: string };
type Block = {
  n: number;
  form: number;
  previous: string;
  digest: string;
  head: string;
  own: Fields;
  entries: Fields[];
  lines: string[] | null;
};

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

/** The canonical line of an entry or a block: its fields by name, in JSON. */
const lineOf = (fields: Fields) =>
  `${JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))))}\n`;

class Broken extends Error {}

function part(files: Map<string, Uint8Array>, name: string): Uint8Array {
  const found = files.get(name);
  if (found === undefined) throw new Broken(`${name} is missing`);
  return found;
}

function textOf(files: Map<string, Uint8Array>, name: string): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(part(files, name));
}

async function unpacked(path: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const [name, file] of await new Bun.Archive(readFileSync(path)).files()) {
    files.set(name, new Uint8Array(await file.arrayBuffer()));
  }
  return files;
}

function checkSignature(
  files: Map<string, Uint8Array>,
  key: string,
): { transaction: string; files: Listed[] } {
  const manifest = part(files, "manifest.json");
  const signature = Buffer.from(textOf(files, "manifest.sig").trim(), "base64");
  const publicKey = createPublicKey(key);
  if (publicKey.asymmetricKeyType !== "ed25519") throw new Broken("the public key is no Ed25519 key");
  if (!verify(null, manifest, publicKey, signature)) throw new Broken("the signature is not of this key");
  return JSON.parse(textOf(files, "manifest.json"));
}

function checkFiles(files: Map<string, Uint8Array>, listed: Listed[]): void {
  for (const { name, bytes, sha256: digest } of listed) {
    const file = part(files, name);
    if (file.length !== bytes || sha256(file) !== digest) throw new Broken(`${name} was altered`);
  }
  const known = new Set([...listed.map(({ name }) => name), "manifest.json", "manifest.sig"]);
  for (const name of files.keys()) if (!known.has(name)) throw new Broken(`${name} was added`);
}

/** Whether a block's digest and head follow from what is said of it, and its entries are among its lines. */
function checkBlock({ n, form, previous, digest, head, own, entries, lines }: Block): boolean {
  if (sha256(`${previous}${digest}`) !== head)
    throw new Broken(`block ${n}: its head is not that of its digest`);
  if (own.n !== String(n)) throw new Broken(`block ${n}: it is another block`);
  if (form !== 2 || lines === null) return false;
  if (own.form !== "2" || sha256(lineOf(own) + lines.map((line) => `${line}\n`).join("")) !== digest) {
    throw new Broken(`block ${n}: it was altered`);
  }
  for (const entry of entries) {
    if (!lines.includes(sha256(lineOf(entry))))
      throw new Broken(`block ${n}: entry ${entry.id} is not in it`);
  }
  return true;
}

async function main([archive, keyFile]: string[]): Promise<void> {
  if (archive === undefined || keyFile === undefined) {
    throw new Error("usage: bun scripts/evidence-verify.ts <archive.tar> <public-key.pem>");
  }
  const files = await unpacked(archive);
  const manifest = checkSignature(files, readFileSync(keyFile, "utf8"));
  checkFiles(files, manifest.files);
  const log = JSON.parse(textOf(files, "audit.json")) as { blocks: Block[]; waiting: Fields[] };
  let proved = 0;
  for (const block of log.blocks) {
    const whole = checkBlock(block);
    proved += whole ? block.entries.length : 0;
    console.log(
      `block ${block.n}:${block.head} ${block.entries.length} entries${whole ? "" : ", not provable alone"}`,
    );
  }
  const rest = log.waiting.length;
  console.log(
    `The evidence of ${manifest.transaction} is whole: ${manifest.files.length} files, ${proved} entries of the log proved, ${rest} not yet sealed.`,
  );
}

try {
  await main(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  const broken = error instanceof Broken;
  console.error(broken ? `The evidence is BROKEN: ${error.message}.` : `It could not be verified: ${error}`);
  process.exit(1);
}
