import type { Party } from "./trade-types.ts";

/** Notices that the parties read in the room; their texts are `notices.<code>` in the catalogues. */
export const noticeCodes = [
  "paymentRequested",
  "paymentAmended",
  "paymentWithdrawn",
  "paymentQr",
  "paymentPartial",
  "paymentConfirmed",
  "paymentFailed",
  "paymentExpired",
  "handedOver",
  "handedOverLate",
  "handedOverByVault",
  "handedOverByVaultLate",
  "buyerConfirmed",
  "buyerReceivedOtherwise",
  "sellerConfirmed",
  "cancelAskedByBuyer",
  "cancelAskedBySeller",
  "cancelDeclinedByBuyer",
  "cancelDeclinedBySeller",
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
  "settledSplit",
  "refundSent",
  "excessReceived",
  "paymentOnHold",
  "tradeOnHold",
  "paymentHoldEnded",
] as const;
export type NoticeCode = (typeof noticeCodes)[number];

/**
 * What else must happen in the transaction of the change. The row, steps and deadlines are not listed: they are the difference between the
 * trade before and after.
 */
export type Effect =
  /** The seller's payout is due: `amount` to the seller, `fee` to Midman. */
  | { kind: "payout_due"; amount: number; fee: number }
  /** The buyer's refund is due: `amount` to the buyer; Midman keeps `fee`. */
  | { kind: "refund_due"; amount: number; fee: number }
  /** Voids every due or approved payout and refund. */
  | { kind: "void_due" }
  /** Records every due payout and refund as sent now; the bank reference follows. */
  | { kind: "send_due" }
  /** Withdraws the trade's invoices, so that none of them is paid any more. */
  | { kind: "cancel_invoices" }
  | { kind: "notice"; code: NoticeCode; params?: Record<string, string | number>; type?: "payment_qr" }
  | { kind: "mail"; to: Party; template: PartyMail }
  /** Notifies both parties of a step or the end of a dispute. */
  | { kind: "dispute_step"; step: DisputeStep }
  | { kind: "admin_task"; task: "payout" | "refund" | "dispute" | "bankReference" }
  | { kind: "end_room" };

/** Steps of a dispute that both parties are notified of; an end by cancellation has an email of its own. */
export type DisputeStep =
  | "taken"
  | "givenBack"
  | "statement"
  | "mediatorWrote"
  | "withdrawn"
  | "released"
  | "ruledRelease"
  | "ruledSplit";

/** Emails that the machine asks for; `lib/notifications/mail-parties.ts` collects what each template needs. */
export type PartyMail =
  | "paymentRequested"
  | "paymentConfirmed"
  | "handedOver"
  | "confirmPlease"
  | "cancellationRequested"
  | "cancellationDeclined"
  | "tradeCancelled"
  | "refundAccountNeeded"
  | "disputeOpened"
  | "payoutDecided"
  | "transactionCompletion";
