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
};

/**
 * The codes of the notices of an act of one party, as regular expressions that JavaScript and Postgres read alike. Only for notices stored
 * before `params.by` existed: a new notice of a party's act has the person in `params.userId` or the role in `params.by`.
 */
export const ownActPatterns = {
  buyer:
    "ByBuyer$|^(buyer(Confirmed|Received)|cancelLapsed|contact|disputeReleased|markedPaid|refundDestination|vaultOpened)",
  seller: "BySeller$|^(bankInfo|handedOver|payment(Amended|Requested|Withdrawn)|sellerConfirmed|vaultSealed)",
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
