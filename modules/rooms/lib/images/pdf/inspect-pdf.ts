import { promisify } from "node:util";
import { inflate } from "node:zlib";

/** Why a PDF is refused: it is not a whole PDF, or it contains something that acts, is hidden, or cannot be looked through. */
export type PdfRefusal = { ok: false; code: "FILE_UNREADABLE" | "FILE_UNSAFE" };

const unreadable: PdfRefusal = { ok: false, code: "FILE_UNREADABLE" };
const unsafe: PdfRefusal = { ok: false, code: "FILE_UNSAFE" };

const inflateBytes = promisify(inflate);

/** All that is unpacked of one file, in bytes, and how many of its streams: beyond that it counts as a bomb. */
const maxUnpackedBytes = 16 * 1024 * 1024;
const maxStreams = 5_000;
/** The part of a file in which a ZIP archive has its end, in bytes. */
const zipTail = 65_557;

/**
 * What a reader's program would do by itself or on a press, beyond showing pages: scripts, programs, other files, forms, media, attachments,
 * encryption (which hides all of these). An opening action that only names a page is harmless, and common. The short names are matched with
 * what must follow them, because they also occur by chance in packed bytes.
 */
const actingNames =
  /\/(?:JavaScript|Launch|EmbeddedFiles?|AcroForm|XFA|Encrypt|GoToR|GoToE|SubmitForm|ImportData|RichMedia\w*|Rendition|Movie|Sound|3D)(?![A-Za-z0-9])|\/OpenAction\s*(?!\s*\[)|\/JS\s*[(<]|\/JS\s+\d+\s+\d+\s+R|\/AA\s*<<|\/AA\s+\d+\s+\d+\s+R/;

/** True for bytes that begin as a PDF does. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
}

/**
 * Checks that a file is a whole PDF, only a PDF, and shows pages only. It is not rendered, so this is a search: in the file's bytes as they
 * lie, and in what its compressed streams unpack to, with names in their escaped form too (`/J#53`). What could hide an object and cannot be
 * unpacked here is refused. Refuses FILE_UNREADABLE and FILE_UNSAFE.
 */
export async function inspectPdf(bytes: Uint8Array): Promise<{ ok: true } | PdfRefusal> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!isWholePdf(text)) return unreadable;
  if (text.indexOf("PK\x05\x06", Math.max(0, text.length - zipTail)) !== -1) return unsafe;
  if (hasActingName(text)) return unsafe;
  let unpacked = 0;
  let streams = 0;
  for (const { head, from, to } of streamsOf(text)) {
    streams += 1;
    if (streams > maxStreams) return unsafe;
    const holdsObjects = /\/ObjStm/.test(head) || (/\/N\s/.test(head) && /\/First\s/.test(head));
    const kind = packingOf(head);
    if (holdsObjects && kind === "other") return unsafe;
    // The samples of an image are no text. Those that are packed otherwise are images too, or fonts.
    if (kind !== "flate" || (!holdsObjects && /\/Subtype\s*\/Image/.test(head))) continue;
    const found = await unpack(bytes.subarray(from, to), maxUnpackedBytes - unpacked);
    if (found === "too much" || (found === "damaged" && holdsObjects)) return unsafe;
    if (found === "damaged") continue;
    unpacked += found.length;
    if (hasActingName(found)) return unsafe;
  }
  return { ok: true };
}

/** From the first bytes to the end mark, with a table of objects; little may follow the end. */
function isWholePdf(text: string): boolean {
  const end = text.lastIndexOf("%%EOF");
  if (!/^%PDF-[12]\.\d/.test(text) || end === -1 || text.slice(end + 5).trim() !== "") return false;
  return /startxref\s+\d+\s+$/.test(text.slice(Math.max(0, end - 64), end)) && /\d+\s+\d+\s+obj\b/.test(text);
}

/** Names may be written with escapes; other text that looks like an escape does no harm here. */
function hasActingName(text: string): boolean {
  if (actingNames.test(text)) return true;
  if (!/#[0-9a-f]{2}/i.test(text)) return false;
  return actingNames.test(
    text.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

/** How a stream is packed: not at all, by Flate alone and without a predictor, or otherwise. */
function packingOf(head: string): "none" | "flate" | "other" {
  if (/\/Crypt\b|\/(?:Predictor)\s+(?!1\b)\d/.test(head)) return "other";
  const filter = /\/(?:Filter|F)\s*(\[[^\]]*\]|\/\w+)/.exec(head)?.[1];
  if (filter === undefined) return /\/Filter/.test(head) ? "other" : "none";
  const names = filter.match(/\/\w+/g) ?? [];
  if (names.length === 0) return "none";
  return names.length === 1 && /^\/(FlateDecode|Fl)$/.test(names[0] ?? "") ? "flate" : "other";
}

/** The streams of a file, each with the dictionary before it; also those inside others, as an offset may point anywhere. */
function* streamsOf(text: string): Generator<{ head: string; from: number; to: number }> {
  const opening = /\bstream\r?\n/g;
  let end = 0;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    if (text.slice(found.index - 3, found.index) === "end") continue;
    const from = found.index + found[0].length;
    const before = text.slice(Math.max(0, found.index - 4_000), found.index);
    const head = before
      .slice(before.lastIndexOf("obj") + 1)
      .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    // Each part of the text is searched once, however many streams begin in it.
    if (end < from) end = text.indexOf("endstream", from);
    if (end === -1) end = text.length;
    yield { head, from, to: end };
  }
}

async function unpack(packed: Uint8Array, most: number): Promise<string | "too much" | "damaged"> {
  if (most <= 0) return "too much";
  try {
    return (await inflateBytes(packed, { maxOutputLength: most })).toString("latin1");
  } catch (error) {
    return (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE" ? "too much" : "damaged";
  }
}
