/** The longest side of what is sent, in pixels: the server keeps no more. */
export const maxPictureSide = 1600;
/** What the server takes of a picture (`imageLimits` of the rooms), in bytes. */
export const maxPictureBytes = 10 * 1024 * 1024;
/** A picture this light goes as it is: drawn anew it would only lose. */
export const lightPictureBytes = 300 * 1024;
export const maxCaptionLength = 500;
/** So many may be chosen at once. */
export const maxPicturesAtOnce = 10;
/** How high a picture stands in the conversation, in CSS pixels. */
export const maxDisplayHeight = 300;

/** The size that fits into `longest` on each side, in whole pixels; a small picture keeps its own. */
export function fitWithin(width: number, height: number, longest: { width: number; height: number }) {
  const scale = Math.min(1, longest.width / width, longest.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
