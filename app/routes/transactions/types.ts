import type { HandOverState, Message, RoomStrings, Seat } from "../../islands/room/types.ts";

/** A page of the conversation, as a trade's own page shows it. */
export interface ChatShown {
  messages: Message[];
  seats: Seat[];
  me: number;
  /** Null once the room is deleted. */
  roomId: number | null;
  code: string;
  handOver: HandOverState;
  strings: RoomStrings;
  /** When the server made the page, ISO 8601. */
  today: string;
  /** How far everybody else has read. */
  readSeq: number;
  /** Where what came before can be read; null where this is the beginning. */
  olderHref: string | null;
  /** The next message's own id, so that a form sent twice is one message. */
  clientId: string;
  /** The room still takes messages; one that was deleted is read alone. */
  open: boolean;
}

export interface Step {
  step: string;
  /** ISO 8601; null until it is reached. */
  completedAt: string | null;
}
