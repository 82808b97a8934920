/** A message as the API and the socket give it. */
export interface Message {
  id: number;
  seq: number;
  senderId: number | null;
  clientId: string | null;
  type: "text" | "image" | "system" | "payment" | "payment_qr";
  content: string;
  imageUrl: string | null;
  createdAt: string;
  notice?: { code: string; text: string };
}

/** A message of this person's that the server has not acknowledged. */
export interface Pending {
  clientId: string;
  content: string;
  /** Set once the server or the network refused it; a press sends it again. */
  failed?: string;
}

/** A member as the API gives them to this reader; the other side's contacts may be masked. */
export interface Seat {
  id: number;
  displayName: string;
  avatarInitials: string;
  role: "buyer" | "seller";
  phoneNumber: string | null;
  bankAccount: string | null;
  /** The last message they have read; a `read` frame moves it on. */
  readSeq: number;
}

export type Presence = "online" | "away" | "busy" | "offline";

export interface Strings {
  conversation: string;
  messages: string;
  placeholder: string;
  send: string;
  connected: string;
  reconnecting: string;
  typing: string;
  you: string;
  unsent: string;
  older: string;
  empty: string;
  notice: string;
  roles: Record<Seat["role"], string>;
  presence: Record<Presence, string>;
}

export interface RoomProps {
  roomId: number;
  /** The room's transaction code once it has a trade; notices carry it. */
  code: string | null;
  me: number;
  /** How far this person had read before this page: what came after is new to them. */
  readSeq: number;
  seats: Seat[];
  messages: Message[];
  /** True when older messages exist than those shown. */
  hasOlder: boolean;
  olderHref: string;
  /** What the composer holds at first: a message that could not be sent without script. */
  draft: string;
  draftError: string | null;
  clientId: string;
  strings: Strings;
}
