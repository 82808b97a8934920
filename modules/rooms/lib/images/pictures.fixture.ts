import sharp from "sharp";
import type { ReadImage, SentImage } from "./send-image.ts";

// Test helpers: pictures made from pixels, since the decoder of SVG drawings is blocked in every process that has redrawn a picture.

/** A picture of noise, which no format compresses well: about `width × height × 3` bytes uncompressed. */
export function noise(width: number, height: number) {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#888",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });
}

/** A small JPEG. */
export const aPicture = (): Promise<Buffer> => noise(64, 48).jpeg().toBuffer();

/** A route's reader of a picture that is already in memory. */
export function bringing(sent: SentImage): [number, ReadImage] {
  return [sent.picture?.length ?? 0, async () => ({ ok: true, ...sent })];
}
