import { availableParallelism } from "node:os";
import type { Sharp } from "sharp";
import { loadPictureDecoders } from "#db/files/picture-decoders";
import { log } from "#db/log";
import { imageLimits } from "../../constants.ts";
import { createTurnQueue } from "./redraw-queue.ts";

/** A picture as stored: redrawn from its pixels, in two sizes. */
export type RedrawnPicture = { full: Uint8Array; small: Uint8Array; width: number; height: number };

/** A picture that cannot be redrawn, or not now. */
export type RedrawRefusal =
  | { ok: false; code: "IMAGE_UNREADABLE" | "IMAGE_TOO_MANY_PIXELS" }
  | { ok: false; code: "IMAGES_BUSY"; retryAfterSeconds: number };

const longSide = { full: 1600, small: 480 };

/** A picture with more pixels than this for each byte is blank at best, and a decompression bomb at worst. */
const mostPixelsPerByte = 1000;
const alwaysAllowedPixels = 4_000_000;
const longestSide = 30_000;

type PictureKind = "jpeg" | "png" | "webp" | "gif" | "heif";

/**
 * The memory that each format's decoder needs limits its pixels: the worst case of each (an interlaced 16-bit PNG, an AVIF) takes about 300
 * MB. Photographs come as JPEG, and screenshots are far smaller.
 */
const mostPixels: Record<PictureKind, number> = {
  jpeg: imageLimits.pixels,
  webp: imageLimits.pixels,
  png: 30_000_000,
  gif: 30_000_000,
  heif: 16_000_000,
};

/** One redraw at a time, or two from four cores on; at most 24 others wait. */
const redrawQueue = createTurnQueue(availableParallelism() >= 4 ? 2 : 1, 24);

/**
 * Reads a JPEG, PNG, WebP, GIF (its first frame) or AVIF, turns it upright and redraws it as sRGB WebP, so that only what can be seen of
 * the upload is kept: no metadata, and no second content behind the picture. Refuses IMAGE_UNREADABLE (not such a picture, damaged,
 * truncated), IMAGE_TOO_MANY_PIXELS and IMAGES_BUSY.
 */
export async function redrawPicture(
  sent: Uint8Array,
): Promise<{ ok: true; picture: RedrawnPicture } | RedrawRefusal> {
  const kind = pictureKindOf(sent);
  if (kind === undefined) return imageUnreadable;
  const sharp = await loadPictureDecoders();
  const turn = await redrawQueue.take();
  if (turn === undefined) return imagesBusy;
  try {
    const head = await sharp(sent, { limitInputPixels: false }).metadata();
    if (head.format !== kind) return imageUnreadable;
    if (hasTooManyPixels(kind, head.width, head.height, sent.length)) {
      return { ok: false, code: "IMAGE_TOO_MANY_PIXELS" };
    }
    return { ok: true, picture: await drawBothSizes(sent, kind) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log().info({ reason }, "a picture could not be read");
    return /timeout/i.test(reason) ? imagesBusy : imageUnreadable;
  } finally {
    turn();
  }
}

const imagesBusy: RedrawRefusal = { ok: false, code: "IMAGES_BUSY", retryAfterSeconds: 10 };
const imageUnreadable: RedrawRefusal = { ok: false, code: "IMAGE_UNREADABLE" };

/** The format according to the first bytes, in the library's names; undefined for unsupported ones. */
function pictureKindOf(bytes: Uint8Array): PictureKind | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\xff\xd8\xff")) return "jpeg";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (/^GIF8[79]a/.test(head)) return "gif";
  if (/^RIFF.{4}WEBP/s.test(head)) return "webp";
  if (/^.{4}ftypavi[fs]/s.test(head)) return "heif";
  return undefined;
}

function hasTooManyPixels(kind: PictureKind, width: number, height: number, bytes: number): boolean {
  const pixels = width * height;
  if (Math.max(width, height) > longestSide || pixels > mostPixels[kind]) return true;
  return pixels > alwaysAllowedPixels && pixels > bytes * mostPixelsPerByte;
}

async function drawBothSizes(sent: Uint8Array, kind: PictureKind): Promise<RedrawnPicture> {
  const sharp = await loadPictureDecoders();
  const { data, info } = await sharp(sent, { limitInputPixels: mostPixels[kind], failOn: "error" })
    .autoOrient()
    .flatten({ background: "#fff" })
    .resize({ width: longSide.full, height: longSide.full, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .timeout({ seconds: 30 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = () => sharp(data, { raw: { width, height, channels } });
  const small = {
    width: longSide.small,
    height: longSide.small,
    fit: "inside",
    withoutEnlargement: true,
  } as const;
  return {
    full: await encodeWebp(pixels(), kind),
    small: await encodeWebp(pixels().resize(small), kind),
    width,
    height,
  };
}

/** A picture that is not a JPEG is usually a screenshot: smart subsampling keeps small coloured text sharp. */
function encodeWebp(picture: Sharp, kind: PictureKind): Promise<Uint8Array> {
  return picture.webp({ quality: 80, smartSubsample: kind !== "jpeg" }).toBuffer();
}
