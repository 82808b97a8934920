import type { BodyWords } from "./messages/message-body.tsx";
import type { PictureWords } from "./pictures/picture-words.ts";

/** A message as the API and the socket give it. */
export interface Message {
  id: number;
  seq: number;
  senderId: number | null;
  clientId: string | null;
  type: "text" | "image" | "system" | "payment" | "payment_qr";
  content: string;
  imageUrl: string | null;
  /** Only a picture has one. Width and height are those of `full`; the caption is "" where its sender gave none. */
  image?: { width: number; height: number; small: string; full: string; caption: string };
  createdAt: string;
  notice?: {
    code: string;
    params: Record<string, string | number>;
    text: string;
    /** Whom it speaks of. */
    person?: { id: number; displayName: string; avatarInitials: string };
  };
}

/** What everything has in common that waits to be sent; it stays until the server has acknowledged it. */
interface WaitingEntry {
  /** The same at every try, so that the server stores one message of however many. */
  clientId: string;
  /** When it was written, in milliseconds since 1970 by this device's clock: the order in which all of it is sent. */
  at: number;
  /** Why it was not sent, once it was refused or is too old: then the person decides. */
  failed?: string;
}

interface PendingText extends WaitingEntry {
  kind: "text";
  content: string;
}

export interface PendingImage extends WaitingEntry {
  kind: "image";
  caption: string;
  blob: Blob;
  /** In pixels; 0 where this browser cannot show it. */
  width: number;
  height: number;
}

/** A message of this person's that the server has not acknowledged. Each kind has its way of delivery (room-client.ts). */
export type PendingMessage = PendingText | PendingImage;

/** What a person has just written or chosen, before it has an id and a place. */
export type WrittenMessage = Omit<PendingText, keyof WaitingEntry> | Omit<PendingImage, keyof WaitingEntry>;

/** What the conversation shows of a member: the API tells their contacts too, which stay out of the page's data. */
export interface Seat {
  id: number;
  displayName: string;
  avatarInitials: string;
  role: "buyer" | "seller";
  /** The last message they have read; a `read` frame moves it on. */
  readSeq: number;
}

export type Presence = "online" | "away" | "busy" | "offline";

/**
 * What holds now of the notice that goods are handed over upon: it applies, it is behind (`over`), or something since says that nothing
 * is to be handed over.
 */
export type HandOverState = "applies" | "over" | SupersedingReason;
export type SupersedingReason = "cancelled" | "disputed" | "checking";

export interface RoomStrings {
  conversation: string;
  messages: string;
  placeholder: string;
  send: string;
  connected: string;
  reconnecting: string;
  typing: string;
  /** Of somebody's own messages, for screen readers. */
  mine: string;
  sending: string;
  sent: string;
  read: string;
  /** Labels of the menu beside another person's message, and of its link. */
  more: string;
  report: string;
  unsent: string;
  discard: string;
  outdated: string;
  outboxFull: string;
  /** After a number of characters. */
  left: string;
  offline: string;
  /** Of a page the server does not let connect; a link that loads it anew. */
  refused: string;
  newMessages: string;
  latest: string;
  today: string;
  yesterday: string;
  /** A day, with `[d]`, `[m]` or `[month]`, and `[y]` in it. */
  day: string;
  older: string;
  empty: string;
  notice: string;
  /** The link from a notice to the page where anybody can ask Midman. */
  verify: string;
  remindSeller: string;
  remindBuyer: string;
  /** What stands under the notice once it no longer applies. */
  superseded: Record<SupersedingReason, string>;
  onlyNotices: string;
  securityGuide: string;
  roles: Record<Seat["role"], string>;
  presence: Record<Presence, string>;
  body: BodyWords;
  picture: PictureWords;
}

export interface RoomProps {
  roomId: number;
  /** The room's transaction code once it has a trade; notices carry it. */
  code: string | null;
  /** When the page was made; the panel's parts tell it anew. */
  handOver: HandOverState;
  me: number;
  /** When the server made the page, ISO 8601: which day is today is the same for both that draw it. */
  now: string;
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
  /** What the form that sends a picture without script holds at first. */
  upload: { clientId: string; caption: string; error: string | null };
  strings: RoomStrings;
}
