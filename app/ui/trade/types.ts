import type { PostedForm } from "../forms/posted-form.ts";
import type { MoneyStatus } from "./progress/money-state.tsx";
import type { MarkName } from "./progress/trade-line.tsx";
import type { TradeStatement } from "./statements.tsx";
import type { Vault } from "./vault/vault-types.ts";

/** What a party may do right now; the server decides it, the panel only shows it. */
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

/** A dispute as its parties see it; `mediator` is what whoever has the case is called. */
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
  /** The sandbox's page where a press pays; null with a real provider. */
  sandboxPage: string | null;
}

export interface DeadlineClock {
  kind: string;
  dueAt: string;
  overdue: boolean;
  /** Halted while a dispute is open. */
  paused: boolean;
  /** By how much it was put off because Midman itself was away. */
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
  /** Something had been given, and went with the account of who gave it. */
  erased: boolean;
  /** This side has confirmed what the other one shared, as it is now. */
  confirmed: boolean;
  /** Of what this side shared; 0 for nothing. */
  version: number;
}

/** What a price costs each side, in whole tugrik, by who pays the fee. */
export type Quotes = Record<TradeFigures["feePayer"], { buyerPays: number; sellerGets: number } | null>;

/** Somebody in the room, as its page shows them; contacts may be masked. */
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
  /** What Midman holds right now, and what of it goes back when both agree to cancel. */
  held: number;
  refundable: number;
  /** What the seller gets: what is due to them, or the net while nothing is. */
  toSeller: number;
  /** What goes back to the buyer. */
  refund: { amount: number; sent: boolean; accountGiven: boolean } | null;
  handedOver: boolean;
  /** How and where the seller says they handed over. */
  handOverNote: string | null;
  /** When the buyer confirmed although no hand-over was recorded. */
  receivedOtherwiseAt: string | null;
  /** Completed or cancelled: nothing is agreed any more. */
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
  /** A QR was made for this request: the time to pay runs. */
  qrAsked: boolean;
  /** Midman is checking the payment: nobody is to pay again. */
  heldForChecking: boolean;
  /** It is the trade as a whole that Midman checks: nothing is to be paid or handed over. */
  tradeChecked: boolean;
  qr: PaymentQr | null;
  can: AllowedSteps;
  mine: PartyContact;
  theirs: PartyContact;
  infoOpen: boolean;
  vault: Vault;
  /** Ten minutes have passed since the first QR and the payment is not confirmed. */
  late: boolean;
  /** The latest dispute; under way while it has no outcome. */
  dispute: DisputeShown | null;
  /** What each side is called. */
  names: { buyer: string; seller: string };
  /** When each side confirmed completion. */
  confirmed: { buyer: string | null; seller: string | null };
}

export interface PanelProps {
  room: { id: number; name: string };
  seats: SeatShown[];
  /** What the reader may do about the roles: swap them, nothing since another opened the room, or nothing any more. */
  roles: "swap" | "creator" | "locked";
  role: "buyer" | "seller";
  seatsTaken: boolean;
  serverNow: string;
  canCreate: boolean;
  /** Why the seller may not request a payment, as a packed message shown instead of the form; null if they may. */
  obstacle: string | null;
  trade: TradeShown | null;
  /** How long one may pay from the first QR on, in words. */
  payWithin: string;
  /** How long a QR may be paid, and within how long an account that was received is made one's own, in words. */
  qrLifetime: string;
  changeWithin: string;
  /** What each side's figure would be by who pays the fee, for the amount that the request has. */
  quotes: Quotes | null;
  /** What the person's profile knows, to begin the bank form with. */
  prefill: { accountName: string; accountNumber: string; phoneNumber: string; email: string };
}

/** What the parts of the panel are given once there is a trade. */
export type TradePanelProps = PanelProps & { trade: TradeShown; posted: PostedForm | null };
