const BLOCK = 512;
/** The largest entry that is read. Midman's are much smaller; a reader holds one entry in memory. */
const MOST_BYTES = 1_000_000_000;

/** One complete entry of an archive. */
export type Entry = { name: string; bytes: Uint8Array };

/** A damaged archive: cut off, altered, or not made by Midman. */
export class BadArchive extends Error {
  override name = "BadArchive";
}

/** A POSIX (ustar) header of an entry, so that any `tar` can list and unpack the archive. */
function tarHeader(name: string, size: number): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 255) throw new Error(`tar: the name is too long: ${name}`);
  const cut = Buffer.byteLength(name) > 100 ? name.lastIndexOf("/", 154) : -1;
  block.write(cut < 0 ? name : name.slice(cut + 1), 0);
  block.write("0000600\0", 100);
  block.write("0000000\0".repeat(2), 108);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0", 136);
  block.write("        0", 148);
  block.write("ustar\x0000", 257);
  if (cut >= 0) block.write(name.slice(0, cut), 345);
  block.write(`${sumOf(block).toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** The bytes of an entry: header, content and padding. */
export function* tarEntry({ name, bytes }: Entry): Generator<Uint8Array> {
  yield tarHeader(name, bytes.length);
  yield bytes;
  if (bytes.length % BLOCK > 0) yield Buffer.alloc(BLOCK - (bytes.length % BLOCK));
}

/** The end-of-archive marker. */
export const tarEnd: Uint8Array = Buffer.alloc(2 * BLOCK);

/**
 * Reads entries one by one as they arrive. Throws BadArchive if the source is no archive, is cut off, or if anything but zeros fills its
 * padding or its end, or the end has another length than `tarEnd`: every changed bit of an archive is found.
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const { take, rest } = createByteReader(source);
  for (;;) {
    const block = await take(BLOCK);
    if (isEmpty(block)) {
      if (!isEmpty(await take(tarEnd.length - BLOCK))) throw new BadArchive("data follows its end");
      for await (const more of rest()) if (more.length > 0) throw new BadArchive("data follows its end");
      return;
    }
    if (block.toString("latin1", 257, 262) !== "ustar" || readOctal(block, 148, 8) !== sumOf(block)) {
      throw new BadArchive("it is not an archive of Midman, or is damaged");
    }
    const size = readOctal(block, 124, 12);
    if (!(size <= MOST_BYTES)) throw new BadArchive("an entry is too large");
    const [prefix, name] = [readText(block, 345, 155), readText(block, 0, 100)];
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    const content = await take(padded);
    if (!isEmpty(content.subarray(size))) throw new BadArchive("data follows an entry's content");
    yield { name: prefix === "" ? name : `${prefix}/${name}`, bytes: content.subarray(0, size) };
  }
}

const isEmpty = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** Reads a stream in pieces of the requested sizes, then the rest as it arrives. */
function createByteReader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let kept: Uint8Array[] = [];
  let length = 0;
  const take = async (size: number): Promise<Buffer> => {
    while (length < size) {
      const { done, value } = await chunks.next();
      if (done) throw new BadArchive("it is truncated");
      kept.push(value);
      length += value.length;
    }
    const all =
      kept.length === 1 && kept[0]
        ? Buffer.from(kept[0].buffer, kept[0].byteOffset, length)
        : Buffer.concat(kept);
    kept = length > size ? [all.subarray(size)] : [];
    length -= size;
    return all.subarray(0, size);
  };
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    yield* kept;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  return { take, rest };
}

/** The sum of a header's bytes, with its own field counted as spaces. */
function sumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

const readText = (block: Buffer, from: number, length: number) =>
  block.toString("utf8", from, from + length).replace(/\0.*$/s, "");
const readOctal = (block: Buffer, from: number, length: number) =>
  Number.parseInt(readText(block, from, length).trim(), 8);
