// What may be true of one trade, after design §4 to §6. Nothing here is taken from the product's own machine.

export type Party = "buyer" | "seller";
/** The administrators, first and second. */
export type Admin = 0 | 1;
export type Payer = "buyer" | "seller" | "split";
export type Account = "A" | "B";

export type Payout = {
  kind: "payout" | "refund";
  /** `escrow`, or the payment whose excess lies in suspense. */
  source: string;
  amount: number;
  fee: number;
  state: "due" | "approved" | "sent" | "done" | "unknown" | "void";
  account: Account | null;
  approvedBy: Admin | null;
  claimedBy: Admin | null;
  fourEyes: boolean;
  /** Its journal stands: the money left the ledger. */
  posted: boolean;
  reference: string | null;
  referenceMissing: boolean;
  /** The record that took its place when its transfer was found not to have happened. */
  replacedBy: number | null;
};

export type Dispute = {
  by: Party;
  from: string;
  outcome: string | null;
  part: number | null;
  earlierSplit: number | null;
  mediator: Admin | null;
};

/**
 * A payment at the provider. `place` is what was found afterwards, so that no search is needed for it: when it was booked among
 * the others, null when it was not, and -1 when it met a confirmation by hand.
 */
export type Row = { id: string; amount: number; failed: boolean; booked: boolean; place: number | null };
/** A payment that two administrators confirmed; `matched` is the row that turned out to be the same. */
export type Hand = { amount: number; reference: string; matched: string | null };

export type State = {
  /** Minutes of the world's clock since its beginning. */
  minute: number;
  status: string;
  amount: number;
  payer: Payer;
  gross: number;
  net: number;
  fee: number;
  /** The minute in which the payment window ends. */
  windowDue: number | null;
  invoice: string | null;
  markedPaid: boolean;
  confirmed: boolean;
  handedOver: boolean;
  buyerDone: boolean;
  sellerDone: boolean;
  buyerCancel: boolean;
  sellerCancel: boolean;
  end: string | null;
  hidden: boolean;
  held: number;
  /** All that was ever booked for the trade itself. */
  received: number;
  /** A callback was made: the provider may be asked at any time since. */
  heard: boolean;
  rows: Row[];
  hands: Hand[];
  proposal: { by: Admin; amount: number; reference: string } | null;
  bank: Account[];
  refundTo: Account | null;
  payouts: Payout[];
  disputes: Dispute[];
};

/** What holds for a whole world. */
export type Rules = { feePolicy: "standard" | "terms"; fourEyesAbove: number | null };

/** The sums of a trade by the policy in force (specification §9, design §4), in whole tugrik. */
export function figures(amount: number, payer: Payer, { feePolicy }: Rules) {
  const standard = amount <= 50_000 ? 5_000 : Math.round(5_000 + amount / 20);
  const fee = feePolicy === "standard" ? standard : Math.max(5_000, Math.round((amount * 7) / 100));
  const gross = amount + { buyer: fee, seller: 0, split: Math.ceil(fee / 2) }[payer];
  return { amount, payer, fee, gross, net: gross - fee };
}

/** A trade as it is born: a day to get its first invoice. */
export function born(amount: number, payer: Payer, minute: number, rules: Rules): State {
  return {
    minute,
    status: "initiated",
    ...figures(amount, payer, rules),
    windowDue: minute + 24 * 60,
    invoice: null,
    markedPaid: false,
    confirmed: false,
    handedOver: false,
    buyerDone: false,
    sellerDone: false,
    buyerCancel: false,
    sellerCancel: false,
    end: null,
    hidden: false,
    held: 0,
    received: 0,
    heard: false,
    rows: [],
    hands: [],
    proposal: null,
    bank: [],
    refundTo: null,
    payouts: [],
    disputes: [],
  };
}

const beforePayment = [
  "initiated",
  "payment_initiated",
  "payment_pending",
  "payment_processing",
  "payment_failed",
];

export const unpaid = ({ status }: State): boolean => beforePayment.includes(status);
export const other = (party: Party): Party => (party === "buyer" ? "seller" : "buyer");

/** Whether the payment window is over; within the very minute in which it ends, it may be. */
export function windowOver({ windowDue, minute }: State): boolean[] {
  if (windowDue === null || minute < windowDue) return [false];
  return minute === windowDue ? [false, true] : [true];
}

/** Money of the trade itself that has left, or may have. */
export function moneySent({ payouts }: State): boolean {
  return payouts.some(
    ({ source, state }) => source === "escrow" && ["sent", "done", "unknown"].includes(state),
  );
}

/** The dispute under way. */
export function openCase({ disputes }: State): Dispute | undefined {
  return disputes.find(({ outcome }) => outcome === null);
}

/** The buyer's part by a split that stands. */
export function splitInForce(dispute: Dispute | undefined): number | null {
  if (dispute?.outcome === "split") return dispute.part;
  return dispute?.outcome === "withdrawn" ? dispute.earlierSplit : null;
}

/** The same state with the dispute under way changed. */
export function inCase(state: State, change: Partial<Dispute>): State {
  return {
    ...state,
    disputes: state.disputes.map((one) => (one.outcome === null ? { ...one, ...change } : one)),
  };
}

/** The same state with one of its payouts changed. */
export function inPayout(state: State, at: number, change: Partial<Payout>): State {
  return { ...state, payouts: state.payouts.map((one, i) => (i === at ? { ...one, ...change } : one)) };
}

/** The end of a trade; a dispute under way ends with it. */
export function ended(
  state: State,
  status: "completed" | "cancelled",
  end: string,
  dispute = "admin",
): State {
  return inCase({ ...state, status, end, windowDue: null }, { outcome: dispute });
}
