import { imageLimits } from "#constants/rooms";

/** The longest side of a picture that is sent, in pixels: the server stores no more. */
export const maxPictureSide = 1600;
/** The largest upload and the largest PDF that the server accepts, in bytes. */
export const { bytes: maxPictureBytes, pdfBytes: maxPdfBytes, captionMax: maxCaptionLength } = imageLimits;
/** A picture smaller than this is sent unchanged: encoding it again would only lose quality. */
export const lightPictureBytes = 300 * 1024;
/** The most pictures that may be chosen at once. */
export const maxPicturesAtOnce = 10;
/** What the file choosers offer. */
export const acceptedFiles = "image/*,application/pdf";
export const pdfType = "application/pdf";
/** Maximum height of a picture in the conversation, in CSS pixels. */
export const maxDisplayHeight = 300;

/** The largest size, in whole pixels, that fits into `longest` and keeps the proportions; a smaller picture keeps its size. */
export function fitWithin(width: number, height: number, longest: { width: number; height: number }) {
  const scale = Math.min(1, longest.width / width, longest.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
