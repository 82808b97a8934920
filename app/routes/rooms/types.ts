import type { RoomGroup } from "#views/rooms";
import type { MoneyStatus } from "../../ui/trade/progress/money-state.tsx";

/** A room of the list, as its row shows it. Times are ISO 8601. */
export interface RoomShown {
  /** The id of the person who reads the list. */
  readerId: number;
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
  other: {
    name: string;
    initials: string;
    role: "buyer" | "seller";
    presence: "online" | "busy" | "away" | "offline";
  } | null;
  /** Counted up to 100. */
  unread: number;
  last: { text: string; by: "me" | "them" | "midman"; image: boolean } | null;
  trade: TradeSummary | null;
  /** Who acts next in its trade, or who would begin one. */
  group: RoomGroup;
  /** The number of rooms of its group, on all pages. */
  groupSize: number;
  /** What is done next and by whom: `key` is a whole key of the catalogue. Null if the last message says more. */
  next: { key: string; sum: string; dueAt: string | null; overdue: boolean } | null;
}

/** The trade of a room in short: `sum.label` is a whole key of the catalogue. */
export interface TradeSummary {
  status: string;
  money: MoneyStatus;
  /** The key of another word for the state of the money, as `moneyForRole` has it. */
  word: string | null;
  sum: { label: string; sum: string } | null;
}

/** An invite as its card shows it. */
export interface InviteShown {
  roomId: number;
  code: string;
  link: string;
  /** A picture of the link, as a data URI. */
  qr: string;
}
