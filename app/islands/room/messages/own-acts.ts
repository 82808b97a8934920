import type { Message, Seat } from "../types.ts";

/** The codes of the notices of an act of one party. Other notices of what a person did name them in `params.userId`. */
const actPatterns: Record<Seat["role"], RegExp> = {
  buyer:
    /ByBuyer$|^(buyer(Confirmed|Received)|cancelLapsed|contact|disputeReleased|markedPaid|refundDestination|vaultOpened)/,
  seller: /BySeller$|^(bankInfo|handedOver|payment(Amended|Requested|Withdrawn)|sellerConfirmed|vaultSealed)/,
};

/** Whether a message is the reader's own, or a notice of what they did themselves. */
export function isOwnAct({ senderId, notice }: Message, reader: Pick<Seat, "id" | "role">): boolean {
  if (senderId !== null || notice === undefined) return senderId === reader.id;
  return notice.params.userId === reader.id || actPatterns[reader.role].test(notice.code);
}
