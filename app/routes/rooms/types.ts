import type { MoneyStatus } from "../../ui/trade/progress/money-state.tsx";

/** A room of the list, as its card shows it. Times are ISO 8601. */
export interface RoomShown {
  id: number;
  name: string;
  description: string | null;
  createdAt: string;
  activityAt: string;
  /** Its trade is over. */
  ended: boolean;
  /** The reader opened it, and may delete it. */
  mine: boolean;
  /** Who sits on the other side; null while nobody does. */
  other: { name: string; initials: string; role: "buyer" | "seller" } | null;
  /** Counted up to 100. */
  unread: number;
  last: { text: string; by: "me" | "them" | "midman"; image: boolean } | null;
  trade: TradeSummary | null;
  waits: PendingTask | null;
}

/** The trade of a room in a few words: `turn` is a text of `trade.turn`, `sum.label` a whole key. */
export interface TradeSummary {
  status: string;
  money: MoneyStatus;
  sum: { label: string; sum: string } | null;
  turn: string | null;
}

/** What waits for the reader (a text of `chat.waits`), the sum it names, and where it is done; null: in the dialog of that name. */
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
