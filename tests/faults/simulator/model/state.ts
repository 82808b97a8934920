// A model of one trade, written from its rules alone. It shares no code with the product's state machine.

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
  /** Who approved it first, where its account was corrected and it takes two. */
  firstApprovedBy: Admin | null;
  /** The minute in which its owner replaced the account it goes to. */
  correctedIn: number | null;
  claimedBy: Admin | null;
  claimedIn: number | null;
  /** Whom its transfer was last taken over from. */
  takenOverFrom: Admin | null;
  /** Its approval, or the first one of a corrected account, ended with its giver's right. */
  lapsed: boolean;
  sentBy: Admin | null;
  /** Who said that nobody knows whether it left. */
  unknownBy: Admin | null;
  /** Who said that they had already sent it when another took it over, and by which number of the bank's. */
  reportedBy: Admin | null;
  reportedReference: string | null;
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
export type Row = {
  id: string;
  amount: number;
  /** The invoice it was paid for. */
  invoice: string | null;
  failed: boolean;
  booked: boolean;
  /** The provider's list has it. */
  listed: boolean;
  /** The list was behind it, or its invoice not known, and may be still by what was answered. */
  announced: boolean;
  /** A callback named it. */
  callbacks: boolean;
  /** The list names another trade's invoice for it (`here`), or this trade's for a payment that is listed elsewhere (`there`). */
  foreign: "here" | "there" | null;
  /** A hold of the trade tells of it, or told; `again`: one person ended that while no money was here. */
  reported: "no" | "yes" | "again";
  place: number | null;
  /** The minute in which it was paid. */
  paidIn: number;
  /** The provider has taken it back: `known` once a hold of the trade says so. */
  reversed: "no" | "unknown" | "known";
  /** Its booking was undone: the provider had taken it back, or it was the money of a confirmation by hand. */
  undone: boolean;
};
/**
 * A payment that two administrators confirmed, with the minute in which the first of them proposed it; `matched` is the row that by
 * rule is the same money; `met` says that two administrators found it to be that of a row.
 */
export type Hand = {
  amount: number;
  reference: string;
  matched: string | null;
  proposedIn: number;
  met: boolean;
};

/** What a mediator would rule, until another administrator confirms it; `no` counts those of the trade. */
export type RulingProposal = {
  no: number;
  by: Admin;
  ruling: "release" | "refund" | "split";
  part: number | null;
  sum: number;
  lapsed: boolean;
};

/** An open reason of the trade's hold beside its transfers in doubt; what one administrator proposed to do about it. */
export type Hold = {
  reason: HoldReason;
  /** The payment or, where the provider says no more than that it is paid, the invoice; of a report, whose and of which transfer. */
  row: string;
  /** The confirmation by hand that it may be the money of. */
  hand: string | null;
  proposal: { by: Admin; outcome: HoldOutcome; lapsed: boolean } | null;
};
export type HoldReason =
  | "SECOND_PAYMENT"
  | "PAYMENT_REVERSED"
  | "FOREIGN_INVOICE"
  | "FRAUD_REPORT"
  | "PAYMENT_ANNOUNCED"
  | "PAID_UNLISTED";
export type HoldOutcome = "dismissed" | "same_payment" | "taken_back" | "booked";

/** What tells one open hold of a trade from another. */
export const keyOf = ({ reason, row }: Pick<Hold, "reason" | "row">): string => `${reason} ${row}`;

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
  /** An invoice was shown, or money came: from then on another invoice is the buyer's word. */
  locked: boolean;
  handedOver: boolean;
  receivedOtherwise: boolean;
  buyerDone: boolean;
  sellerDone: boolean;
  buyerCancel: boolean;
  sellerCancel: boolean;
  end: string | null;
  /** The minute of its end. */
  endedIn: number | null;
  hidden: boolean;
  held: number;
  /** All that was ever booked for the trade itself. */
  received: number;
  /** A callback was made: the provider may be asked at any time since. */
  heard: boolean;
  rows: Row[];
  hands: Hand[];
  proposal: { by: Admin; amount: number; reference: string; proposedIn: number; lapsed: boolean } | null;
  ruling: RulingProposal | null;
  /** How many rulings were proposed, and which of them whom confirmed. */
  rulings: number;
  confirmedRulings: Array<{ no: number; by: Admin }>;
  holds: Hold[];
  /** What of each row of the provider went to the trade itself. */
  own: Record<string, number>;
  bank: Account[];
  /** The minute in which the seller replaced their account. */
  bankCorrectedIn: number | null;
  refundTo: Account | null;
  payouts: Payout[];
  disputes: Dispute[];
};

/** What holds for a whole world. */
export type Rules = { feePolicy: "standard" | "terms"; fourEyesAbove: number | null };

/** The sums of a trade by the fee policy in force, in whole tugrik. */
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
    locked: false,
    handedOver: false,
    receivedOtherwise: false,
    buyerDone: false,
    sellerDone: false,
    buyerCancel: false,
    sellerCancel: false,
    end: null,
    endedIn: null,
    hidden: false,
    held: 0,
    received: 0,
    heard: false,
    rows: [],
    hands: [],
    proposal: null,
    ruling: null,
    rulings: 0,
    confirmedRulings: [],
    holds: [],
    own: {},
    bank: [],
    bankCorrectedIn: null,
    refundTo: null,
    payouts: [],
    disputes: [],
  };
}
