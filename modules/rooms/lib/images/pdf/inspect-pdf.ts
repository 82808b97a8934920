import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { hasActingName } from "./acting-names.ts";
import { findStreams, type PdfStream } from "./find-streams.ts";

/** Why a PDF is refused: it is not a whole PDF, or it contains something that acts, is hidden, or cannot be looked through. */
export type PdfRefusal = { ok: false; code: "FILE_UNREADABLE" | "FILE_UNSAFE" };

const unreadable: PdfRefusal = { ok: false, code: "FILE_UNREADABLE" };
const unsafe: PdfRefusal = { ok: false, code: "FILE_UNSAFE" };

const inflateBytes = promisify(inflate);

/** All that is unpacked of one file, in bytes: beyond that it counts as a bomb. */
const maxUnpackedBytes = 16 * 1024 * 1024;
/** Damaged streams of one file. What one of them unpacks to before the damage is not counted, so their number is. */
const maxDamagedStreams = 8;
/** The part of a file in which a ZIP archive has its end, in bytes. */
const zipTail = 65_557;

/** True for bytes that begin as a PDF does. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
}

/**
 * Checks that a file is a whole PDF, only a PDF, and shows pages only. It is not rendered, so this is a search: in the file's bytes as they
 * lie, and in what its compressed streams unpack to, with names in their escaped form too (`/J#53`). What could hide an object and cannot be
 * read without doubt and unpacked here is refused. The time grows with the file's size alone, whatever is in it. Refuses FILE_UNREADABLE and
 * FILE_UNSAFE.
 */
export async function inspectPdf(bytes: Uint8Array): Promise<{ ok: true } | PdfRefusal> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!isWholePdf(text)) return unreadable;
  if (text.indexOf("PK\x05\x06", Math.max(0, text.length - zipTail)) !== -1) return unsafe;
  if (hasActingName(bytes)) return unsafe;
  const streams = findStreams(text);
  if (streams === undefined) return unsafe;
  let unpackedBytes = 0;
  let damagedStreams = 0;
  for (const stream of streams) {
    const holdsObjects = mayHoldObjects(stream);
    const packing = packingOf(stream);
    if (packing === "elsewhere" || (holdsObjects && packing === "other")) return unsafe;
    // The samples of an image are no text. Those that are packed otherwise are images too, or fonts.
    if (packing !== "flate" || (!holdsObjects && stream.entries.get("/Subtype") === "/Image")) continue;
    const unpacked = await unpack(bytes.subarray(stream.from, stream.to), maxUnpackedBytes - unpackedBytes);
    if (unpacked === "too much") return unsafe;
    if (unpacked === "damaged") {
      damagedStreams += 1;
      if (holdsObjects || damagedStreams > maxDamagedStreams) return unsafe;
      continue;
    }
    unpackedBytes += unpacked.length;
    if (hasActingName(unpacked)) return unsafe;
  }
  return { ok: true };
}

/** From the first bytes to the end mark, with a table of objects; little may follow the end. */
function isWholePdf(text: string): boolean {
  const end = text.lastIndexOf("%%EOF");
  if (!/^%PDF-[12]\.\d/.test(text) || end === -1 || text.slice(end + 5).trim() !== "") return false;
  const hasTable = /startxref\s{1,8}\d{1,10}\s{1,8}$/.test(text.slice(Math.max(0, end - 64), end));
  return hasTable && /\d\s{1,8}\d{1,5}\s{1,8}obj\b/.test(text);
}

/** Some readers take any stream with a number of objects for one that holds them. A colour profile has a number too, and is unpacked. */
function mayHoldObjects({ entries }: PdfStream): boolean {
  const type = entries.get("/Type") ?? "";
  return (
    entries.has("/N") ||
    entries.has("/First") ||
    !/^(?:\/[A-Z][A-Za-z]{0,30})?$/.test(type) ||
    type === "/ObjStm"
  );
}

/** How a stream is packed: not at all, by Flate alone and without parameters, or otherwise; or its bytes are in another file. */
function packingOf({ entries }: PdfStream): "none" | "flate" | "other" | "elsewhere" {
  // The short names belong to images within a page's drawing; some readers take them here too.
  if (["/F", "/FFilter", "/FDecodeParms"].some((name) => entries.has(name))) return "elsewhere";
  if (entries.has("/DecodeParms") || entries.has("/DP")) return "other";
  const filter = entries.get("/Filter")?.replace(/[[\]\s]/g, "");
  if (filter === undefined || filter === "") return "none";
  return filter === "/FlateDecode" || filter === "/Fl" ? "flate" : "other";
}

async function unpack(packed: Uint8Array, most: number): Promise<Buffer | "too much" | "damaged"> {
  if (most <= 0) return "too much";
  try {
    return await inflateBytes(packed, { maxOutputLength: most });
  } catch (error) {
    return (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE" ? "too much" : "damaged";
  }
}
