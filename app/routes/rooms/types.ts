import type { MoneyStatus } from "../../ui/trade/progress/money-state.tsx";

/** A room of the list, as its card shows it. Times are ISO 8601. */
export interface RoomShown {
  id: number;
  name: string;
  description: string | null;
  createdAt: string;
  activityAt: string;
  /** Whether its trade is over. */
  ended: boolean;
  /** Whether the reader created it and may delete it. */
  mine: boolean;
  /** The other member; null while there is none. */
  other: { name: string; initials: string; role: "buyer" | "seller" } | null;
  /** Counted up to 100. */
  unread: number;
  last: { text: string; by: "me" | "them" | "midman"; image: boolean } | null;
  trade: TradeSummary | null;
  waits: PendingTask | null;
}

/** The trade of a room in short: `turn` is a key below `trade.turn`, `sum.label` a whole key. */
export interface TradeSummary {
  status: string;
  money: MoneyStatus;
  sum: { label: string; sum: string } | null;
  turn: string | null;
}

/** The reader's task (a key below `chat.waits`), its amount, and where it is done; null if that is the dialog of the same name. */
export interface PendingTask {
  key: string;
  sum: string;
  href: string | null;
}

/** An invite as its card shows it. */
export interface InviteShown {
  roomId: number;
  code: string;
  link: string;
  /** A picture of the link, as a data URI. */
  qr: string;
}
