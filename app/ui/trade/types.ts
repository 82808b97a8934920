import type { PostedForm } from "../forms/posted-form.ts";
import type { MoneyStatus } from "./progress/money-state.tsx";
import type { MarkName } from "./progress/trade-line.tsx";
import type { TradeStatement } from "./statements.tsx";
import type { Vault } from "./vault/vault-types.ts";

/** What a party may do now. The server decides it; the panel only shows it. */
export interface AllowedSteps {
  amend: boolean;
  withdraw: boolean;
  invoice: boolean;
  markPaid: boolean;
  verify: boolean;
  handOver: boolean;
  confirm: boolean;
  requestCancellation: boolean;
  agreeCancellation: boolean;
  withdrawCancellation: boolean;
  openDispute: boolean;
  withdrawDispute: boolean;
  bankInfo: boolean;
  shareInfo: boolean;
  confirmInfo: boolean;
  refundDestination: boolean;
  seal: boolean;
  openVault: boolean;
  checkVault: boolean;
}

/** A dispute as its parties see it; `mediator` is the name of the mediator who handles it. */
export interface DisputeShown {
  openedBy: "buyer" | "seller";
  openedAt: string;
  outcome: string | null;
  mediator: string | null;
  statements: TradeStatement[];
}

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
  links: Array<{ name: string; link: string }>;
  /** The sandbox's page that simulates a payment; null with a real provider. */
  sandboxPage: string | null;
}

export interface DeadlineClock {
  kind: string;
  dueAt: string;
  overdue: boolean;
  /** Paused while a dispute is open. */
  paused: boolean;
  /** By how many minutes the deadline was extended because Midman itself was unavailable. */
  extendedMinutes: number;
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
}

export interface TradeShown extends TradeFigures {
  id: number;
  code: string;
  status: string;
  goods: "account" | "licence" | "key" | "item" | "other";
  description: string | null;
  booked: number;
  /** What Midman holds now, and what of it is refunded if both agree to cancel. */
  held: number;
  refundable: number;
  /** What the seller gets: the amount due to them, or the net price while nothing is due. */
  toSeller: number;
  /** The buyer's refund. */
  refund: { amount: number; sent: boolean; accountGiven: boolean } | null;
  handedOver: boolean;
  /** How and where the goods were handed over, in the seller's words. */
  handOverNote: string | null;
  /** When the buyer confirmed without a recorded handover. */
  receivedOtherwiseAt: string | null;
  /** Completed or cancelled: no further step is possible. */
  over: boolean;
  turn: string;
  standing: {
    money: MoneyStatus;
    done: MarkName[];
    ended: boolean;
    payingOut: boolean;
    handOverSkipped: boolean;
  };
  clocks: DeadlineClock[];
  /** A QR was made for this request: the payment deadline runs. */
  qrAsked: boolean;
  /** Midman is checking the payment: nobody may pay again. */
  heldForChecking: boolean;
  /** Midman is checking the trade as a whole: nothing may be paid or handed over. */
  tradeChecked: boolean;
  qr: PaymentQr | null;
  can: AllowedSteps;
  mine: PartyContact;
  theirs: PartyContact;
  infoOpen: boolean;
  vault: Vault;
  /** Ten minutes have passed since the first QR and the payment is not confirmed. */
  late: boolean;
  /** The latest dispute; open while it has no outcome. */
  dispute: DisputeShown | null;
  /** The display names of both parties. */
  names: { buyer: string; seller: string };
  /** When each party confirmed completion. */
  confirmed: { buyer: string | null; seller: string | null };
}

export interface PanelProps {
  room: { id: number; name: string };
  seats: SeatShown[];
  /**
   * What the reader may do about the roles: swap them; nothing, because another person created the room; or nothing, because they are
   * fixed.
   */
  roles: "swap" | "creator" | "locked";
  role: "buyer" | "seller";
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
