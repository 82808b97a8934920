/** Every stored status of a trade (design §5). */
export const statuses = [
  "initiated",
  "payment_initiated",
  "payment_pending",
  "payment_processing",
  "payment_failed",
  "payment_confirmed",
  "exchange_completed",
  "settlement_pending",
  "disputed",
  "completed",
  "cancelled",
] as const;
export type Status = (typeof statuses)[number];

/** `unpaid` of design §5: what is owed has not come in whole. */
export const unpaid: readonly Status[] = statuses.slice(0, 5);

/** Who a trade is between. */
export type Party = "buyer" | "seller";
/** Who may give a command. `provider` is the callback and the reconciler, `clock` the deadline jobs. */
export type Who = Party | "admin" | "clock" | "provider";

export const feePayers = ["buyer", "seller", "split"] as const;
export type FeePayer = (typeof feePayers)[number];
export type FeePolicy = "standard" | "terms";

/** The sums of a trade in whole tugrik; gross = what the buyer is charged, net = gross − fee = what the seller gets. */
export type Figures = {
  amount: number;
  fee: number;
  feePayer: FeePayer;
  feePolicy: FeePolicy;
  gross: number;
  net: number;
};

export const stepKeys = [
  "initiated",
  "payment_initiated",
  "payment_processing",
  "exchange_info",
  "completed",
] as const;
export type StepKey = (typeof stepKeys)[number];
export type Steps = Partial<Record<StepKey, Date>>;

export const deadlineKinds = [
  "payment_window",
  "hand_over",
  "buyer_finish",
  "admin_review",
  "payout",
  "dispute_statements",
  "dispute_ruling",
] as const;
export type DeadlineKind = (typeof deadlineKinds)[number];
/** A promise of time that runs, or is halted while a dispute lasts. */
export type Deadline = { dueAt: Date; pausedAt: Date | null };
export type Deadlines = Partial<Record<DeadlineKind, Deadline>>;

export type EndReason = "paid_out" | "closed" | "withdrawn" | "expired" | "agreed" | "admin" | "ruling";
export type Ruling = "release" | "refund" | "split";
export type DisputeOutcome = Ruling | "withdrawn" | "released" | "cancelled" | "admin";
/** The states a dispute can be opened in, and returns to when it is withdrawn. */
export type Disputable = "payment_confirmed" | "exchange_completed" | "settlement_pending";
/** The trade's latest dispute; under way while it has no outcome. */
export type Dispute = {
  openedBy: Party;
  from: Disputable;
  outcome: DisputeOutcome | null;
  refundAmount: number | null;
};

/** A trade as its machine sees it: its row, its steps and deadlines, and what the ledger says about its money. */
export type Trade = Figures & {
  id: number;
  code: string;
  roomId: number;
  buyerId: number;
  sellerId: number;
  description: string | null;
  status: Status;
  /** The invoice last shown to the parties; null before the first, and after an amendment. */
  invoiceId: string | null;
  /** The first invoice ever: parties are fixed from then on. */
  rolesLockedAt: Date | null;
  markedPaidAt: Date | null;
  /** When all that is owed had come in. */
  confirmedAt: Date | null;
  handedOverAt: Date | null;
  handOverNote: string | null;
  buyerCompletedAt: Date | null;
  sellerCompletedAt: Date | null;
  buyerCancelAt: Date | null;
  sellerCancelAt: Date | null;
  dispute: Dispute | null;
  endReason: EndReason | null;
  endedAt: Date | null;
  hiddenAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  steps: Steps;
  deadlines: Deadlines;
  /** Tugrik the ledger holds for this trade now; read under the trade's lock. */
  held: number;
  /** A payout or refund of this trade's money has left, or may have. */
  moneySent: boolean;
  /** The seller has said where the money is to go. */
  sellerDestination: boolean;
};

/**
 * What can be asked of a trade that exists. `payment_checked` comes after what was found has been booked: `booked` is the new
 * money in tugrik, `complete` that every invoice's check was answered, `failed` that the provider knows only failures.
 */
export type Command =
  | { kind: "amend"; figures: Figures; description: string | null }
  | { kind: "withdraw" }
  | { kind: "issue_invoice"; invoiceId: string }
  | { kind: "mark_paid" }
  | { kind: "payment_checked"; booked: number; complete: boolean; failed: boolean }
  | { kind: "expire"; complete: boolean }
  | { kind: "hand_over"; note: string | null }
  | { kind: "confirm" }
  | { kind: "request_cancellation" }
  | { kind: "withdraw_cancellation" }
  | { kind: "open_dispute" }
  | { kind: "withdraw_dispute" }
  | { kind: "rule"; ruling: Ruling; refundAmount?: number }
  | { kind: "complete" }
  | { kind: "cancel"; ourFault: boolean }
  | { kind: "money_left" }
  | { kind: "hide" };
export type CommandKind = Command["kind"];
/** A command and who gives it. */
export type Given = Command & { who: Who };

/** Why a command was refused; `app/http/outcome.ts` has their statuses, the catalogues their texts. */
export type Rejection =
  | "BUYER_ONLY"
  | "SELLER_ONLY"
  | "PARTY_ONLY"
  | "ADMIN_REQUIRED"
  | "NOT_AUTHORIZED"
  | "TRADE_OVERTAKEN"
  | "NOT_PAID_YET"
  | "PAYMENT_NOT_REQUESTED"
  | "WINDOW_OVER"
  | "MONEY_BOOKED"
  | "MONEY_HELD"
  | "MONEY_ALREADY_SENT"
  | "BUYER_FIRST"
  | "CANCELLATION_PENDING"
  | "DESTINATION_MISSING"
  | "DISPUTE_OPEN"
  | "DISPUTE_NOT_YOURS"
  | "SPLIT_OUT_OF_RANGE"
  | "WINDOW_OPEN"
  | "CHECK_UNKNOWN";

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
  "buyerConfirmed",
  "sellerConfirmed",
  "cancelAskedByBuyer",
  "cancelAskedBySeller",
  "cancelWithdrawnByBuyer",
  "cancelWithdrawnBySeller",
  "cancelledByBoth",
  "disputeOpenedByBuyer",
  "disputeOpenedBySeller",
  "disputeWithdrawn",
  "disputeReleased",
  "ruledRelease",
  "ruledRefund",
  "ruledSplit",
  "adminCompleted",
  "adminCancelled",
  "settled",
  "refundSent",
  "excessReceived",
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
  | { kind: "admin_task"; task: "payout" | "refund" | "dispute" | "bankReference" }
  | { kind: "end_room" };

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
  | "transactionCompletion";

/** The closed set of answers. `changed: false` repeats a command that already took effect. */
export type Decision =
  | { ok: true; changed: true; trade: Trade; effects: Effect[] }
  | { ok: true; changed: false; trade: Trade; effects: [] }
  | { ok: false; code: Rejection; current: Status };
