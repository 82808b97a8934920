import type { HandOverState, Message, RoomStrings, Seat } from "../../islands/room/types.ts";

/** When a step of the trade was done, ISO 8601; `label` is a whole key of the catalogue. */
export interface StepTime {
  label: string;
  at: string;
}

/** A page of the conversation, as a trade's own page shows it. */
export interface ChatShown {
  messages: Message[];
  seats: Seat[];
  me: number;
  /** Null once the room is deleted. */
  roomId: number | null;
  code: string;
  handOver: HandOverState;
  askingCodes: string;
  strings: RoomStrings;
  /** When the server made the page, ISO 8601. */
  today: string;
  /** The last `seq` that the other member has read. */
  readSeq: number;
  /** The link to earlier messages; null at the beginning. */
  olderHref: string | null;
  /** The client id of the next message, so that a form sent twice posts one message. */
  clientId: string;
  /** Whether the room still takes messages; a deleted room is read-only. */
  open: boolean;
}
