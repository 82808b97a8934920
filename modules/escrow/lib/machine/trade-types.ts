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

/** `unpaid` of design §5: what is owed has not come in whole. */
export const unpaidStatuses: readonly Status[] = tradeStatuses.slice(0, 5);

/** Who a trade is between. */
export type Party = "buyer" | "seller";
/** Who may give a command. `provider` is the callback and the reconciler, `clock` the deadline jobs. */
export type Who = Party | "admin" | "clock" | "provider";

export const feePayers = ["buyer", "seller", "split"] as const;
export type FeePayer = (typeof feePayers)[number];
export type FeePolicy = "standard" | "terms";

/** The sums of a trade in whole tugrik; gross = what the buyer is charged, net = gross − fee = what the seller gets. */
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
  /** The buyer's part by a split that was ruled before; it stands again once this dispute is withdrawn. */
  earlierSplit: number | null;
};

/** A trade as its machine sees it: its row, its steps and deadlines, and what the ledger says about its money. */
export type Trade = TradeFigures & {
  id: number;
  code: string;
  roomId: number;
  buyerId: number;
  sellerId: number;
  goods: Goods;
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
  /** The buyer confirmed although no hand-over was recorded: they say that they received the goods another way. */
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
  /** Since when both sides read that their payment is being checked; null while it is not. */
  onHoldSince: Date | null;
  steps: Steps;
  deadlines: Deadlines;
  /** Tugrik the ledger holds for this trade now; read under the trade's lock. */
  held: number;
  /** A payout or refund of this trade's money has left, or may have. */
  moneySent: boolean;
  /** The seller has said where the money is to go. */
  sellerDestination: boolean;
  /** Why no ending and no outgoing step of it takes effect; empty while it may go on (design §4 "A trade's hold"). */
  holds: readonly HoldReason[];
};

export type * from "./commands.ts";
export type * from "./effects.ts";
export { noticeCodes } from "./effects.ts";
