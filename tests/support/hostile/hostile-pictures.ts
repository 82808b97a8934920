import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

// Files that are not what they say, or more than a picture.

/** A picture of noise; the caller chooses its format. Noise hardly compresses, so the file's size follows its pixels. */
export function noisePicture(width: number, height: number) {
  const grain = { type: "gaussian", mean: 128, sigma: 40 } as const;
  return sharp({ create: { width, height, channels: 3, background: "#888", noise: grain } });
}

/** A JPEG as a phone takes it: lying on its side, with the place it was taken at and the phone's name. */
export function phonePicture(width = 400, height = 300): Promise<Buffer> {
  return noisePicture(width, height)
    .jpeg()
    .withExif({
      IFD0: { Make: "Spyphone", Model: "S1", Artist: "Bat Erdene" },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "47/1 55/1 0/1",
        GPSLongitudeRef: "E",
        GPSLongitude: "106/1 55/1 0/1",
      },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** A PNG of one bit a pixel, all of them alike: a few kilobytes for any number of pixels. */
export function blankPng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", pixels),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export const scriptMarkup = "<script>alert(document.cookie)</script>";

/** A JPEG that is also a page: markup in its comment and behind its end. */
export async function jpegAndPage(): Promise<Buffer> {
  const jpeg = await noisePicture(60, 40).jpeg().toBuffer();
  const comment = Buffer.from(`/*${scriptMarkup}*/`);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([head, comment, jpeg.subarray(2), Buffer.from(`<html>${scriptMarkup}</html>`)]);
}

const pageMarkup = `<!doctype html><html><body>${scriptMarkup}</body></html>`;
const drawingMarkup = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><script>alert(1)</script></svg>`;

/** No pictures of ours, by name: what they are, and the bytes. */
export async function unacceptablePictures(): Promise<Array<[string, Uint8Array]>> {
  const jpeg = await noisePicture(200, 150).jpeg().toBuffer();
  const png = await noisePicture(200, 150).png().toBuffer();
  const bytes = (text: string) => Buffer.from(text, "latin1");
  return [
    ["a page named .png", bytes(pageMarkup)],
    ["a drawing (SVG)", bytes(drawingMarkup)],
    ["a drawing with an XML head", bytes(`<?xml version="1.0"?>${drawingMarkup}`)],
    ["a page behind the first bytes of a PNG", bytes(`\x89PNG\r\n\x1a\n${pageMarkup}`)],
    ["a page behind the first bytes of a JPEG", bytes(`\xff\xd8\xff\xe0${pageMarkup}`)],
    ["a page behind the first bytes of a GIF", bytes(`GIF89a${pageMarkup}`)],
    ["a drawing behind the first bytes of a WebP", bytes(`RIFF\xff\xff\xff\xffWEBP${drawingMarkup}`)],
    ["a JPEG cut in half", jpeg.subarray(0, jpeg.length / 2)],
    ["a PNG cut in half", png.subarray(0, png.length / 2)],
    ["the first bytes of a JPEG alone", jpeg.subarray(0, 3)],
    ["a TIFF", await noisePicture(20, 20).tiff().toBuffer()],
    ["a picture of an iPhone (HEIC)", bytes("\0\0\0\x18ftypheic\0\0\0\0mif1heic")],
    ["a program", bytes("MZ\x90\0\x03\0\0\0")],
    ["one byte", bytes("\xff")],
  ];
}
