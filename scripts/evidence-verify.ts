/**
 * Verifies an evidence bundle without Midman: `bun scripts/evidence-verify.ts <archive.tar> <public-key.pem>`. It needs only Bun: no
 * network, no database, no other file of this project. Prints its findings. Exits with 0 if everything is as it was signed and sealed,
 * otherwise with 1, also if the archive itself names messages that were altered.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

type Fields = Record<string, string | null>;
type ListedFile = { name: string; bytes: number; sha256: string };
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

class BrokenEvidence extends Error {}

function requirePart(files: Map<string, Uint8Array>, name: string): Uint8Array {
  const found = files.get(name);
  if (found === undefined) throw new BrokenEvidence(`${name} is missing`);
  return found;
}

function textOf(files: Map<string, Uint8Array>, name: string): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(requirePart(files, name));
}

async function unpackArchive(path: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const [name, file] of await new Bun.Archive(readFileSync(path)).files()) {
    files.set(name, new Uint8Array(await file.arrayBuffer()));
  }
  return files;
}

function checkSignature(
  files: Map<string, Uint8Array>,
  key: string,
): { transaction: string; files: ListedFile[] } {
  const manifest = requirePart(files, "manifest.json");
  const signature = Buffer.from(textOf(files, "manifest.sig").trim(), "base64");
  const publicKey = createPublicKey(key);
  if (publicKey.asymmetricKeyType !== "ed25519")
    throw new BrokenEvidence("the public key is not an Ed25519 key");
  if (!verify(null, manifest, publicKey, signature))
    throw new BrokenEvidence("the signature was not made with this key");
  return JSON.parse(textOf(files, "manifest.json"));
}

function checkFiles(files: Map<string, Uint8Array>, listed: ListedFile[]): void {
  for (const { name, bytes, sha256: digest } of listed) {
    const file = requirePart(files, name);
    if (file.length !== bytes || sha256(file) !== digest) throw new BrokenEvidence(`${name} was altered`);
  }
  const known = new Set([...listed.map(({ name }) => name), "manifest.json", "manifest.sig"]);
  for (const name of files.keys()) if (!known.has(name)) throw new BrokenEvidence(`${name} was added`);
}

/** Whether a block's digest and head follow from its content, and its entries are among its lines. */
function checkBlock({ n, form, previous, digest, head, own, entries, lines }: Block): boolean {
  if (sha256(`${previous}${digest}`) !== head)
    throw new BrokenEvidence(`block ${n}: its head does not match its digest`);
  if (own.n !== String(n)) throw new BrokenEvidence(`block ${n}: its number differs`);
  if (form !== 2 || lines === null) return false;
  if (own.form !== "2" || sha256(lineOf(own) + lines.map((line) => `${line}\n`).join("")) !== digest) {
    throw new BrokenEvidence(`block ${n}: it was altered`);
  }
  for (const entry of entries) {
    if (!lines.includes(sha256(lineOf(entry))))
      throw new BrokenEvidence(`block ${n}: entry ${entry.id} is not in it`);
  }
  return true;
}

type Message = {
  seq: number;
  unproved?: string;
  at: string;
  senderId: number | null;
  type: string;
  content: string;
  notice?: string;
  params?: Record<string, unknown>;
  image?: { bytes: number; sha256: string; sentSha256: string };
};
type Digest = {
  seq: number;
  sealed: "when sent" | "later" | "no";
  fields: Array<string | null>;
  picture: Array<string | null> | null;
};
type LoggedDigest = { roomId: string | null; digest: string; picture?: string };

/** The message digests that entries of the log contain, by the message's number in its room. */
function loggedDigests(entries: Fields[]): Map<number, LoggedDigest> {
  const logged = new Map<number, LoggedDigest>();
  for (const { roomId = null, data } of entries) {
    const { seq, digest, picture, digests, pictures } = JSON.parse(data ?? "{}");
    if (typeof digest === "string" && typeof seq === "number") logged.set(seq, { roomId, digest, picture });
    for (const [one, later] of Object.entries(digests ?? {})) {
      if (typeof later === "string")
        logged.set(Number(one), { roomId, digest: later, picture: pictures?.[one] });
    }
  }
  return logged;
}

/** Whether a message matches the fields of its digest. */
function matchesDigest(message: Message, { fields, picture }: Digest): boolean {
  const [, , , seq, , sender, , type, content, code, params, , , , at] = fields;
  const own = JSON.parse(params ?? "{}") as Record<string, unknown>;
  const image = message.image;
  return (
    seq === String(message.seq) &&
    sender === (message.senderId === null ? null : String(message.senderId)) &&
    type === message.type &&
    (at ?? "").slice(0, 23) === message.at.slice(0, 23) &&
    (code ?? undefined) === message.notice &&
    (code !== null || (content ?? "") === message.content) &&
    Object.entries(own).every(([key, value]) => Bun.deepEquals(message.params?.[key], value)) &&
    (image === undefined ||
      picture === null ||
      [image.bytes, image.sha256, image.sentSha256].join() === picture.slice(4).join())
  );
}

/** Verifies each message against its digest in the log. Returns how many were verified, and which the archive itself names as unproved. */
function checkMessages(messages: Message[], digests: Digest[], entries: Fields[]) {
  const logged = loggedDigests(entries);
  const known = new Map(digests.map((one) => [one.seq, one]));
  let [proved, later, unsealed] = [0, 0, 0];
  for (const message of messages.filter(({ unproved }) => unproved === undefined)) {
    const made = known.get(message.seq);
    if (made === undefined || !matchesDigest(message, made)) {
      throw new BrokenEvidence(`message ${message.seq}: it does not match its digest`);
    }
    if (made.sealed === "no") {
      unsealed += 1;
      continue;
    }
    const entry = logged.get(message.seq);
    const same =
      entry !== undefined &&
      entry.roomId === made.fields[2] &&
      entry.digest === sha256(JSON.stringify(made.fields)) &&
      (entry.picture === undefined || entry.picture === sha256(JSON.stringify(made.picture)));
    if (!same) throw new BrokenEvidence(`message ${message.seq}: the log has a different digest of it`);
    proved += 1;
    later += made.sealed === "later" ? 1 : 0;
  }
  return { proved, later, unsealed, unproved: messages.filter(({ unproved }) => unproved !== undefined) };
}

/** Returns the exit status. */
async function verifyEvidence([archive, keyFile]: string[]): Promise<number> {
  if (archive === undefined || keyFile === undefined) {
    throw new Error("usage: bun scripts/evidence-verify.ts <archive.tar> <public-key.pem>");
  }
  const files = await unpackArchive(archive);
  const manifest = checkSignature(files, readFileSync(keyFile, "utf8"));
  checkFiles(files, manifest.files);
  const log = JSON.parse(textOf(files, "audit.json")) as { blocks: Block[]; waiting: Fields[] };
  let proved = 0;
  for (const block of log.blocks) {
    const whole = checkBlock(block);
    proved += whole ? block.entries.length : 0;
    console.log(
      `block ${block.n}:${block.head} ${block.entries.length} entries${whole ? "" : ", not verifiable by itself"}`,
    );
  }
  const rest = log.waiting.length;
  const entries = [...log.blocks.flatMap((block) => block.entries), ...log.waiting];
  const said = checkMessages(
    JSON.parse(textOf(files, "messages.json")),
    JSON.parse(textOf(files, "digests.json")),
    entries,
  );
  const { proved: messages, later, unsealed, unproved } = said;
  console.log(
    `${messages} messages match the log, ${later} of them logged later, ${unsealed} not yet in the log`,
  );
  for (const { seq, unproved: how } of unproved) {
    console.log(
      `message ${seq} was ${how} in the database before this was signed: the signature does not vouch for it`,
    );
  }
  console.log(
    `The evidence of ${manifest.transaction} is ${unproved.length === 0 ? "intact" : "as it was signed"}: ${manifest.files.length} files, ${proved} entries of the log proved, ${rest} not yet sealed.`,
  );
  return unproved.length === 0 ? 0 : 1;
}

try {
  process.exit(await verifyEvidence(process.argv.slice(2)));
} catch (error) {
  const broken = error instanceof BrokenEvidence;
  console.error(broken ? `The evidence is BROKEN: ${error.message}.` : `It could not be verified: ${error}`);
  process.exit(1);
}
