import sharp from "sharp";
import type { ReadImage, SentImage } from "./send-image.ts";

// For tests: pictures made from pixels, since the decoder of drawings is shut in every process that loads ours.

/** A picture of noise, which no format makes small: about `width × height × 3` bytes before it is packed. */
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

/** A door's reader of what it has in hand. */
export function bringing(sent: SentImage): [number, ReadImage] {
  return [sent.picture?.length ?? 0, async () => ({ ok: true, ...sent })];
}
