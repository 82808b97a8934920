/**
 * Draws the letters of a saved QR sheet (`modules/payments/lib/invoices/sheet-letters.ts`) from DejaVu Sans Bold: `bun
 * scripts/assets/draw-qr-letters.ts`. The server draws sheets from these bits: it needs neither a font nor an image library for it.
 */
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import sharp from "sharp";

const letters = "0123456789,-₮ABCDEFGHIJKLMNOPQRSTUVWXYZidman";
const height = 64;
const baseline = 52;
const fontSize = 56;
const widest = 80;

/** The columns between the first and the last one with ink, as rows of bits. */
async function drawLetter(letter: string): Promise<{ width: number; bits: number[] }> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widest}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><text x="8" y="${baseline}" font-family="DejaVu Sans" font-weight="bold" font-size="${fontSize}">${letter}</text></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const isInk = (x: number, y: number) => (data[(y * info.width + x) * info.channels] ?? 255) < 128;
  const inked = Array.from({ length: widest }, (_, x) => x).filter((x) =>
    Array.from({ length: height }, (_, y) => y).some((y) => isInk(x, y)),
  );
  const [left = 0, right = 0] = [inked[0], inked.at(-1)];
  const width = right - left + 1;
  const bits = Array.from({ length: width * height }, (_, at) =>
    Number(isInk(left + (at % width), Math.floor(at / width))),
  );
  return { width, bits };
}

const drawn = await Promise.all([...letters].map(drawLetter));
const bits = drawn.flatMap((letter) => letter.bits);
const bytes = new Uint8Array(Math.ceil(bits.length / 8));
for (const [at, bit] of bits.entries())
  if (bit === 1) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (128 >> (at & 7));
const packed = deflateRawSync(bytes, { level: 9 }).toString("base64");
await Bun.write(
  join(import.meta.dir, "..", "..", "modules/payments/lib/invoices/sheet-letters.ts"),
  `/**
 * The letters of a saved QR sheet, drawn by \`scripts/assets/draw-qr-letters.ts\` from DejaVu Sans Bold (free to embed). \`packedLetters\` is a
 * deflated row of bits: letter after letter in the order of \`sheetLetters\`, each \`letterHeight\` rows of its width, 1 for ink.
 */
export const sheetLetters = ${JSON.stringify(letters)};
export const letterHeight = ${height};
export const letterWidths = ${JSON.stringify(drawn.map(({ width }) => width))};
export const packedLetters = ${JSON.stringify(packed)};
`,
);
