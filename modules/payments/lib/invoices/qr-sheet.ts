import { crc32, deflateSync, inflateRawSync } from "node:zlib";
import { letterHeight, letterWidths, packedLetters, sheetLetters } from "./sheet-letters.ts";

/** The quiet zone around the code, in modules; below four some bank apps do not read a picture. */
const quietModules = 4;
/** About the width of a phone's screen in pixels: a picture of this size stays sharp in a gallery, and its modules are whole pixels. */
const targetWidth = 1_080;
const lineGap = 20;
const letterGap = 6;
const spaceWidth = 22;

/** A page of black and white pixels; 1 is black. */
type Bitmap = { width: number; height: number; pixels: Uint8Array };

/**
 * A QR code to save on a phone, as PNG bytes: Midman's name above it, the amount and the transaction code below. It is drawn here pixel by
 * pixel: the pictures that members upload restrict the image library of the whole process, and this must not depend on that.
 */
export async function drawQrSheet(
  text: string,
  sheet: { amount: number; code: string },
): Promise<Uint8Array> {
  const { default: QRCode } = await import("qrcode");
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const across = modules.size + 2 * quietModules;
  const scale = Math.max(6, Math.floor(targetWidth / across));
  const width = across * scale;
  const lines = ["Midman", `${sheet.amount.toLocaleString("en-US")} ₮`, sheet.code];
  const [title = "", ...captions] = lines;
  const top = lineGap + letterHeight;
  const height = top + width + captions.length * (letterHeight + lineGap) + lineGap;
  const page: Bitmap = { width, height, pixels: new Uint8Array(width * height) };
  writeLine(page, title, lineGap);
  for (let row = 0; row < modules.size; row++)
    for (let column = 0; column < modules.size; column++)
      if (modules.get(row, column))
        fillSquare(page, (column + quietModules) * scale, top + (row + quietModules) * scale, scale);
  for (const [at, caption] of captions.entries())
    writeLine(page, caption, top + width + at * (letterHeight + lineGap));
  return encodePng(page);
}

function fillSquare({ width, pixels }: Bitmap, left: number, top: number, size: number): void {
  for (let y = top; y < top + size; y++) pixels.fill(1, y * width + left, y * width + left + size);
}

/** Writes a line in the middle of the page; a character without a drawing is left out. */
function writeLine(page: Bitmap, line: string, top: number): void {
  const drawings = [...line].flatMap((letter) =>
    letter === " " ? { width: spaceWidth, isInk: () => false } : (lettersOfSheet().get(letter) ?? []),
  );
  const length = drawings.reduce((sum, { width }) => sum + width + letterGap, -letterGap);
  let left = Math.max(0, Math.floor((page.width - length) / 2));
  for (const { width, isInk } of drawings) {
    for (let y = 0; y < letterHeight; y++)
      for (let x = 0; x < width && left + x < page.width; x++)
        if (isInk(x, y)) page.pixels[(top + y) * page.width + left + x] = 1;
    left += width + letterGap;
  }
}

type LetterDrawing = { width: number; isInk: (x: number, y: number) => boolean };
let knownLetters: Map<string, LetterDrawing> | undefined;

function lettersOfSheet(): Map<string, LetterDrawing> {
  if (knownLetters !== undefined) return knownLetters;
  const bits = inflateRawSync(Buffer.from(packedLetters, "base64"));
  let start = 0;
  const drawings = [...sheetLetters].map((letter, at) => {
    const [from, width] = [start, letterWidths[at] ?? 0];
    start += width * letterHeight;
    const isInk = (x: number, y: number) => {
      const bit = from + y * width + x;
      return (((bits[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
    };
    return [letter, { width, isInk }] as const;
  });
  knownLetters = new Map(drawings);
  return knownLetters;
}

/** Encodes a page as a PNG of one bit a pixel, in grey, where 0 is black. */
function encodePng({ width, height, pixels }: Bitmap): Uint8Array {
  const rowBytes = Math.ceil(width / 8);
  const rows = Buffer.alloc(height * (rowBytes + 1), 0xff);
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1);
    rows[start] = 0;
    for (let x = 0; x < width; x++)
      if (pixels[y * width + x] === 1) {
        const at = start + 1 + (x >> 3);
        rows[at] = (rows[at] ?? 0) & ~(128 >> (x & 7));
      }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [
    formatChunk("IHDR", head),
    formatChunk("IDAT", deflateSync(rows, { level: 9 })),
    formatChunk("IEND"),
  ];
  return new Uint8Array(Buffer.concat([signature, ...chunks]));
}

function formatChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
