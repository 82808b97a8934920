import type { CaseView, TradeView } from "#views/escrow";
import type { PostedForm } from "../forms/posted-form.ts";

/** A dispute as its parties see it; `mediator` is the name of the mediator who handles it. */
export type DisputeShown = Pick<CaseView, "openedBy" | "openedAt" | "outcome" | "statements"> & {
  mediator: string | null;
};

export interface TradeFigures {
  amount: number;
  fee: number;
  gross: number;
  net: number;
  feePayer: "buyer" | "seller" | "split";
}

export interface PaymentQr {
  image: string;
  expiresAt: string;
  expired: boolean;
  /** The apps of banks that can pay it, by scheme and name in both languages; `logo` is the path of a picture that the operator has added. */
  links: Array<{ scheme: string; names: Record<"en" | "mn", string>; link: string; logo: string | null }>;
  /** The sandbox's page that simulates a payment; null with a real provider. */
  sandboxPage: string | null;
}

export interface PartyContact {
  accountName: string | null;
  bankName: string | null;
  accountNumber: string | null;
  iban: string | null;
  phoneNumber: string | null;
  email: string | null;
  info: string | null;
  /** Details had been given, and were erased with the account of the person who gave them. */
  erased: boolean;
  /** This party has confirmed the current version of what the other one shared. */
  confirmed: boolean;
  /** The version of what this party shared; 0 for nothing. */
  version: number;
}

/** What a price costs each party, in whole ₮, by who pays the fee. */
export type Quotes = Record<TradeFigures["feePayer"], { buyerPays: number; sellerGets: number } | null>;

/** A member of the room as its page shows them; contacts may be masked. */
export interface SeatShown {
  id: number;
  name: string;
  initials: string;
  me: boolean;
  role: "buyer" | "seller";
  phone: string | null;
  bank: string | null;
  /** When they were last in the room, ISO 8601; null before the first time. */
  lastSeenAt: string | null;
  /** As far as this instance knows; null for the reader, and for anybody whom it does not see. */
  presence: "online" | "busy" | "away" | null;
}

export interface TradeShown extends TradeFigures {
  id: number;
  code: string;
  status: string;
  goods: "account" | "licence" | "key" | "item" | "other";
  description: string | null;
  /** What has arrived for it so far. */
  booked: number;
  /** What Midman holds now, and what of it is refunded if both agree to cancel. */
  held: number;
  refundable: number;
  /** What the seller gets: the amount due to them, or the net price while nothing is due. */
  toSeller: number;
  /** All of that was sent: of a split, the refund may still be due. */
  payoutSent: boolean;
  /** The buyer's refund. */
  refund: TradeView["due"]["refund"];
  /** Where it goes or went; null to the seller, and while no account was added. */
  refundAccount: TradeView["refundAccount"];
  handedOver: boolean;
  /** How and where the goods were handed over, in the seller's words. */
  handOverNote: string | null;
  /** When the buyer confirmed without a recorded handover. */
  receivedOtherwiseAt: string | null;
  /** Why a trade that has ended did: the text is `trade.cancelled.reason.<reason>`. */
  endReason: TradeView["endReason"];
  /** Completed or cancelled: no further step is possible. */
  over: boolean;
  turn: string;
  standing: TradeView["standing"];
  clocks: TradeView["clocks"];
  /** A QR was made for this request: the payment deadline runs. */
  qrAsked: boolean;
  /** Midman is checking the payment: nobody may pay again. */
  heldForChecking: boolean;
  /** Midman is checking the trade as a whole: nothing may be paid or handed over. */
  tradeChecked: boolean;
  /** Midman checks something about the trade, also if only the provider's answer is missing: it cannot end, even by agreement. */
  onHold: boolean;
  qr: PaymentQr | null;
  /** When the provider was last asked about the payment; null before the first time. */
  checkedAt: string | null;
  can: TradeView["can"];
  mine: PartyContact;
  theirs: PartyContact;
  /** The parties can share accounts and contact details, or have shared some. */
  infoOpen: boolean;
  vault: TradeView["vault"];
  /** When each party asked to cancel. */
  cancelAsked: TradeView["cancellationRequests"];
  /** Ten minutes have passed since the first QR and the payment is not confirmed. */
  late: boolean;
  /** The parties who cannot answer for now. */
  unavailable: TradeView["unavailable"];
  /** The latest dispute; open while it has no outcome. */
  dispute: DisputeShown | null;
  /** The display names of both parties. */
  names: { buyer: string; seller: string };
  /** When each party confirmed completion. */
  confirmed: { buyer: string | null; seller: string | null };
}

export interface PanelProps {
  room: { id: number; name: string; description: string | null };
  seats: SeatShown[];
  /**
   * What the reader may do about the roles: swap them; nothing, because another person created the room; or nothing, because they are
   * fixed.
   */
  roles: "swap" | "creator" | "locked";
  role: "buyer" | "seller";
  /** The room has its buyer and its seller. */
  seatsTaken: boolean;
  serverNow: string;
  canCreate: boolean;
  /** Why the seller may not request a payment, as a packed message shown instead of the form; null if they may. */
  obstacle: string | null;
  trade: TradeShown | null;
  /** How long the buyer may pay after the first QR, in words. */
  payWithin: string;
  /** How long a QR is valid, and within how long the buyer should secure an account they received, in words. */
  qrLifetime: string;
  changeWithin: string;
  /** What each party's figure would be, by who pays the fee, for the request's current amount. */
  quotes: Quotes | null;
  /** Initial values of the bank form, from the person's profile. */
  prefill: { accountName: string; accountNumber: string; phoneNumber: string; email: string };
}

/** Props of the panel's parts once there is a trade. */
export type TradePanelProps = PanelProps & { trade: TradeShown; posted: PostedForm | null };
