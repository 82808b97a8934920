import type { Party } from "./trade-types.ts";

/** What the parties read in the room; the texts are `notices.<code>` of the catalogues. */
export const noticeCodes = [
  "paymentRequested",
  "paymentAmended",
  "paymentWithdrawn",
  "paymentQr",
  "markedPaid",
  "paymentPartial",
  "paymentConfirmed",
  "paymentFailed",
  "paymentExpired",
  "handedOver",
  "handedOverLate",
  "buyerConfirmed",
  "buyerReceivedOtherwise",
  "sellerConfirmed",
  "cancelAskedByBuyer",
  "cancelAskedBySeller",
  "cancelWithdrawnByBuyer",
  "cancelWithdrawnBySeller",
  "cancelLapsed",
  "cancelledByBoth",
  "disputeOpenedByBuyer",
  "disputeOpenedBySeller",
  "disputeWithdrawn",
  "disputeReleased",
  "ruledRelease",
  "ruledRefund",
  "ruledSplit",
  "adminCompleted",
  "adminPaysSeller",
  "adminCancelled",
  "settled",
  "refundSent",
  "excessReceived",
  "paymentOnHold",
  "tradeOnHold",
  "paymentHoldEnded",
] as const;
export type NoticeCode = (typeof noticeCodes)[number];

/**
 * What else must happen in the transaction of the change. Row, steps and deadlines are not here: they are the difference
 * between the trade before and after.
 */
export type Effect =
  /** The seller's money is due: `amount` to them, `fee` to Midman. */
  | { kind: "payout_due"; amount: number; fee: number }
  /** The buyer's money is due back: `amount` to them, `fee` kept. */
  | { kind: "refund_due"; amount: number; fee: number }
  /** Whatever is due or approved is void. */
  | { kind: "void_due" }
  /** Whatever is due is recorded as sent now, its bank reference to follow. */
  | { kind: "send_due" }
  /** No invoice of this trade is to be paid any more. */
  | { kind: "cancel_invoices" }
  | { kind: "notice"; code: NoticeCode; params?: Record<string, string | number>; type?: "payment_qr" }
  | { kind: "mail"; to: Party; template: PartyMail }
  /** Both sides are told how a dispute went on or ended. */
  | { kind: "dispute_step"; step: DisputeStep }
  | { kind: "admin_task"; task: "payout" | "refund" | "dispute" | "bankReference" }
  | { kind: "end_room" };

/** How a dispute goes on, as both sides are told of it; an end by cancelling has a mail of its own. */
export type DisputeStep =
  | "taken"
  | "givenBack"
  | "statement"
  | "mediatorWrote"
  | "withdrawn"
  | "released"
  | "ruledRelease"
  | "ruledSplit";

/** The mails the machine asks for; `mails.ts` gathers what each template needs. */
export type PartyMail =
  | "paymentRequested"
  | "paymentConfirmed"
  | "handedOver"
  | "confirmPlease"
  | "cancellationRequested"
  | "tradeCancelled"
  | "refundAccountNeeded"
  | "disputeOpened"
  | "payoutDecided"
  | "transactionCompletion";
