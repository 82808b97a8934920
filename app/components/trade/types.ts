import type { Money } from "../money-state.tsx";
import type { MarkName } from "../trade-line.tsx";

/** What a party may do right now; the server decides it, the panel only shows it. */
export interface Allowed {
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
}

export interface Figures {
  amount: number;
  fee: number;
  gross: number;
  net: number;
  feePayer: "buyer" | "seller" | "split";
}

export interface Qr {
  image: string;
  expiresAt: string;
  expired: boolean;
  links: Array<{ name: string; link: string }>;
  /** The sandbox's page where a press pays; null with a real provider. */
  sandboxPage: string | null;
}

export interface Clock {
  kind: string;
  dueAt: string;
  overdue: boolean;
  /** Halted while a dispute is open. */
  paused: boolean;
}

export interface Contact {
  accountName: string | null;
  bankName: string | null;
  accountNumber: string | null;
  iban: string | null;
  phoneNumber: string | null;
  email: string | null;
  info: string | null;
  confirmed: boolean;
}

export interface TradeShown extends Figures {
  id: number;
  code: string;
  status: string;
  description: string | null;
  booked: number;
  turn: string;
  standing: { money: Money; done: MarkName[]; ended: boolean };
  clocks: Clock[];
  qr: Qr | null;
  can: Allowed;
  mine: Contact;
  theirs: Contact;
  infoOpen: boolean;
  /** Ten minutes have passed since the first QR and the payment is not confirmed. */
  late: boolean;
  disputeBy: "buyer" | "seller" | null;
  confirmed: { buyer: boolean; seller: boolean };
}

export interface PanelProps {
  role: "buyer" | "seller";
  seatsTaken: boolean;
  serverNow: string;
  canCreate: boolean;
  trade: TradeShown | null;
  /** Where one writes when something is stuck. */
  /** What the person's profile knows, to begin the bank form with. */
  prefill: { accountName: string; accountNumber: string; phoneNumber: string; email: string };
}
