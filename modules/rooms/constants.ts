export { closeCodes } from "./lib/socket/close-codes.ts";

/** Limits of rooms and messages, in characters; `unreadShown` is the highest unread count that a list shows. */
export const roomLimits = {
  nameMin: 3,
  nameMax: 80,
  descriptionMax: 500,
  inviteMin: 6,
  inviteLength: 10,
  messageMax: 4000,
  unreadShown: 99,
  /** The last characters of the other person's phone number and bank account that are shown before the payment is confirmed. */
  contactShown: 4,
};

const bytesPerMegabyte = 1024 * 1024;

/**
 * Limits of a picture: bytes of the file, of a PDF instead, bytes of the whole request (a data URL is a third longer), pixels (the largest
 * that phones take), and characters of the caption.
 */
export const imageLimits = {
  bytes: 10 * bytesPerMegabyte,
  pdfBytes: 5 * bytesPerMegabyte,
  upload: 14.5 * bytesPerMegabyte,
  pixels: 50_000_000,
  captionMax: 500,
};
