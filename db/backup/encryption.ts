import { readFileSync } from "node:fs";
import { BadArchive } from "./tar.ts";

/** The first bytes of every encrypted archive (https://age-encryption.org/v1). */
const ageMagicBytes = Buffer.from("age-encryption.org/v1\n");

/**
 * Encrypts a stream for the holders of the recipients' identities (`age1…`). This machine cannot decrypt it again, so the server or an
 * archive is of no use to a thief.
 */
export async function* encryptStream(
  bytes: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  yield* chunksOf(await encrypter.encrypt(streamOf(bytes)));
}

/**
 * The bytes of an archive in the clear, whether or not it is encrypted. `identityFile` is a file written by `age-keygen`. Throws BadArchive
 * if an identity is needed and not given, does not fit, or the archive was altered.
 */
export async function* decryptStream(
  bytes: AsyncIterable<Uint8Array>,
  identityFile: string | undefined,
): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  const first = await source.next();
  const rest = (async function* () {
    if (!first.done) yield first.value;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  })();
  if (first.done || !ageMagicBytes.equals(first.value.subarray(0, ageMagicBytes.length))) return yield* rest;
  if (identityFile === undefined)
    throw new BadArchive("it is encrypted: name its identity file with --identity");
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  for (const identity of identitiesIn(identityFile)) decrypter.addIdentity(identity);
  try {
    yield* chunksOf(await decrypter.decrypt(streamOf(rest)));
  } catch (error) {
    if (/no identity matched/i.test((error as Error).message))
      throw new BadArchive(`${identityFile} is not the identity that it was encrypted for`);
    throw error;
  }
}

function identitiesIn(path: string): string[] {
  const found = readFileSync(path, "utf8").match(/^AGE-SECRET-KEY-1[0-9A-Z]+$/gm) ?? [];
  if (found.length === 0) throw new BadArchive(`${path} holds no age identity (AGE-SECRET-KEY-1…)`);
  return found;
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await source.return?.();
    },
  });
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
