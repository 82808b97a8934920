import type { HoldReason } from "#modules/payments";
import type { Goods } from "../../forms.ts";

/** Every stored status of a trade (design §5). */
export const tradeStatuses = [
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
export type Status = (typeof tradeStatuses)[number];

/** `unpaid` of design §5: the amount owed has not been received in full. */
export const unpaidStatuses: readonly Status[] = tradeStatuses.slice(0, 5);

/** The parties of a trade. */
export const tradeParties = ["buyer", "seller"] as const;
export type Party = (typeof tradeParties)[number];
/** Who may give a command. `provider` is the callback and the reconciler, `clock` the deadline jobs. */
export type Who = Party | "admin" | "clock" | "provider";

export const feePayers = ["buyer", "seller", "split"] as const;
export type FeePayer = (typeof feePayers)[number];
export type FeePolicy = "standard" | "terms";

/** The amounts of a trade in whole tugrik: gross is what the buyer is charged; net = gross − fee is what the seller gets. */
export type TradeFigures = {
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
  "seller_finish",
  "payout",
  "refund_account",
  "dispute_statements",
  "dispute_ruling",
] as const;
export type DeadlineKind = (typeof deadlineKinds)[number];
/** A deadline; `pausedAt` is set while a dispute pauses it. */
export type Deadline = { dueAt: Date; pausedAt: Date | null };
export type Deadlines = Partial<Record<DeadlineKind, Deadline>>;

export const endReasons = [
  "withdrawn",
  "expired",
  "agreed",
  "admin",
  "ruling",
  "paid_out",
  "closed",
] as const;
export type EndReason = (typeof endReasons)[number];
export type Ruling = "release" | "refund" | "split";
export const disputeOutcomes = [
  "split",
  "withdrawn",
  "admin",
  "refund",
  "released",
  "cancelled",
  "release",
] as const;
export type DisputeOutcome = (typeof disputeOutcomes)[number];
/** Statuses in which a dispute can be opened, and to which the trade returns if it is withdrawn. */
export const disputableStatuses = ["payment_confirmed", "exchange_completed", "settlement_pending"] as const;
export type Disputable = (typeof disputableStatuses)[number];
/** The trade's latest dispute; it is open while it has no outcome. */
export type Dispute = {
  openedBy: Party;
  from: Disputable;
  outcome: DisputeOutcome | null;
  refundAmount: number | null;
  /** The buyer's part of a split that was ruled before, in tugrik; it is in force again if this dispute is withdrawn. */
  earlierSplit: number | null;
};

/** A trade as its state machine sees it: its row, its steps and deadlines, and what the ledger says about its money. */
export type Trade = TradeFigures & {
  id: number;
  code: string;
  roomId: number;
  buyerId: number;
  sellerId: number;
  goods: Goods;
  description: string | null;
  status: Status;
  /** The invoice last shown to the parties; null before the first one, and after an amendment. */
  invoiceId: string | null;
  /** The time of the first invoice: the parties are fixed from then on. */
  rolesLockedAt: Date | null;
  markedPaidAt: Date | null;
  /** When everything owed had been received. */
  confirmedAt: Date | null;
  handedOverAt: Date | null;
  handOverNote: string | null;
  /** The buyer confirmed although no handover was recorded, and so says that the goods came another way. */
  receivedOtherwiseAt: Date | null;
  buyerCompletedAt: Date | null;
  sellerCompletedAt: Date | null;
  buyerCancelAt: Date | null;
  sellerCancelAt: Date | null;
  dispute: Dispute | null;
  endReason: EndReason | null;
  endedAt: Date | null;
  hiddenAt: Date | null;
  erasedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Since when both parties read that Midman is checking the payment or the trade; null while it is not. */
  onHoldSince: Date | null;
  steps: Steps;
  deadlines: Deadlines;
  /** Tugrik the ledger holds for this trade now; read under the trade's lock. */
  held: number;
  /** True if a payout or refund of this trade's money has left, or may have. */
  moneySent: boolean;
  /** True if the seller has entered an account for the payout. */
  sellerDestination: boolean;
  /** Why no end and no outgoing money step of the trade takes effect; empty while nothing holds it (design §4 "A trade's hold"). */
  holds: readonly HoldReason[];
};

export type * from "./commands.ts";
export type * from "./effects.ts";
export { noticeCodes } from "./effects.ts";
