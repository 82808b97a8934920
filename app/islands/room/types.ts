import type { Language } from "#format";
import type { Participant, PresenceStatus, Quote, Message as RoomMessage } from "#views/rooms";
import type { BodyWords } from "./messages/message-body.tsx";
import type { PictureWords } from "./pictures/picture-words.ts";

export type { Quote };

/** A message as the API and the socket send it. The page shows one room and does not read which. */
export type Message = Omit<RoomMessage, "roomId">;

/** Fields of every entry that waits to be sent; an entry stays until the server has acknowledged it. */
interface WaitingEntry {
  /** The same at every attempt, so that the server stores one message. */
  clientId: string;
  /** When it was written, in ms since 1970 by this device's clock; entries are sent in this order. */
  at: number;
  /** Why it was not sent, after it was refused or became too old; the person then decides. */
  failed?: string;
}

/** What a written message may be: a reply to an earlier one. */
interface PossibleReply {
  /** The message that it replies to. */
  replyTo?: Quote;
}

interface PendingText extends WaitingEntry, PossibleReply {
  kind: "text";
  content: string;
}

export interface PendingImage extends WaitingEntry, PossibleReply {
  kind: "image";
  caption: string;
  blob: Blob;
  /** In pixels; 0 where this browser cannot show it. */
  width: number;
  height: number;
}

/** A message of this person that the server has not acknowledged. Each kind has its own delivery (outbox-deliveries.ts). */
export type PendingMessage = PendingText | PendingImage;

/** A message that was just written or chosen, before it has an id and a place. */
export type WrittenMessage = Omit<PendingText, keyof WaitingEntry> | Omit<PendingImage, keyof WaitingEntry>;

/** What the conversation shows of a member. The API also returns contacts, which stay out of the page's data. A `read` frame advances `readSeq`. */
export type Seat = Pick<Participant, "id" | "displayName" | "avatarInitials" | "role" | "readSeq">;

export type Presence = PresenceStatus;

/**
 * The state of the notice that tells the seller to hand over: it applies, it is over (`over`), Midman no longer holds the money of a
 * completed trade (`ended`), or something since then forbids the handover.
 */
export type HandOverState = "applies" | "over" | SupersedingReason;
type SupersedingReason = "ended" | "cancelled" | "disputed" | "checking";

/** Texts of a message's actions and of replies. */
export interface ActionWords {
  reply: string;
  copyText: string;
  download: string;
  /** Says that messages cannot be changed or deleted. */
  unchangeable: string;
  close: string;
  /** Stands for a picture without a caption. */
  picture: string;
  showQuoted: string;
  /** Comes before the name of the quoted message's sender. */
  replyingTo: string;
  cancelReply: string;
}

export interface RoomStrings {
  conversation: string;
  messages: string;
  placeholder: string;
  send: string;
  connected: string;
  reconnecting: string;
  typing: string;
  /** Name of the reader's own messages, for screen readers. */
  mine: string;
  /** Names the author of a message who is no longer in the room. */
  formerMember: string;
  sending: string;
  sent: string;
  read: string;
  /** Says how the keyboard moves from message to message. */
  messageKeys: string;
  /** Labels of the menu beside a message, and of its link. */
  more: string;
  actions: ActionWords;
  report: string;
  unsent: string;
  discard: string;
  outdated: string;
  outboxFull: string;
  /** Follows a number of characters. */
  left: string;
  offline: string;
  /** Text of the link that reloads a page which the server does not let connect. */
  refused: string;
  newMessages: string;
  latest: string;
  today: string;
  yesterday: string;
  /** The language that days are written in. */
  language: Language;
  older: string;
  empty: string;
  notice: string;
  /** Names the person of a notice in quotes; `[name]` stands for the name. */
  noticePerson: string;
  /** Text of the link from a notice to the page where anyone can verify it. */
  verify: string;
  remindSeller: string;
  remindBuyer: string;
  /** Shown under the notice once it no longer applies. */
  superseded: Record<SupersedingReason, string>;
  /** Of a cancelled trade, what the buyer reads instead of the warning to hand nothing over. */
  refundOfPayment: string;
  onlyNotices: string;
  securityGuide: string;
  presence: Record<Presence, string>;
  /** Says when somebody was last here; `[when]` stands for it. */
  lastSeen: string;
  body: BodyWords;
  picture: PictureWords;
}

export interface RoomProps {
  roomId: number;
  /** The room's transaction code once it has a trade; notices show it. */
  code: string | null;
  /** As of when the page was made; the panel's parts update it. */
  handOver: HandOverState;
  /** Codes of the notices whose instruction still applies, separated by spaces; the panel's parts update it. */
  askingCodes: string;
  me: number;
  /** When the server made the page, ISO 8601, so that the server and the browser agree on which day is today. */
  now: string;
  /** How far this person had read before this page: later messages are new to them. */
  readSeq: number;
  seats: Seat[];
  messages: Message[];
  /** True when older messages exist than those shown. */
  hasOlder: boolean;
  olderHref: string;
  /** The message that the address asks to reply to. */
  reply: Quote | null;
  /** The composer's initial text: a message that could not be sent without script. */
  draft: string;
  draftError: string | null;
  clientId: string;
  /** Initial values of the form that sends a picture without script. */
  upload: { clientId: string; caption: string; error: string | null };
  strings: RoomStrings;
}
