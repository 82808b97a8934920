import type { HandOverState, Message, PendingMessage, Presence, Seat } from "./types.ts";

export interface RoomState {
  seats: Seat[];
  handOver: HandOverState;
  askingCodes: string;
  /** In the order of `seq`, without gaps except for messages that are being fetched. */
  messages: Message[];
  /** Whether older messages exist than those here. */
  hasOlder: boolean;
  /** Messages that the server has not acknowledged, in the order they were written. */
  pending: PendingMessage[];
  connected: boolean;
  /** The server does not let this page connect, and retrying will not change that. */
  refused?: boolean;
  /** The explanation from `/suspended`, as HTML, once a suspension has ended this person's session. */
  suspension?: string;
  /** Ids of the other members who are typing. */
  typing: number[];
  presence: Record<number, Presence>;
  /** The last `seq` that each member has read, by user id. */
  read: Record<number, number>;
}

export type RoomChange =
  | { kind: "received"; messages: Message[] }
  | { kind: "older"; messages: Message[]; hasOlder: boolean }
  | { kind: "trimmed"; keep: number }
  | { kind: "seated"; seats: Seat[] }
  | { kind: "moved"; handOver: HandOverState; askingCodes: string }
  | { kind: "waiting"; pending: PendingMessage }
  | { kind: "discarded"; clientId: string }
  | { kind: "connected"; connected: boolean }
  | { kind: "refused" }
  | { kind: "suspended"; suspension: string }
  | { kind: "typing"; userId: number; on: boolean }
  | { kind: "presence"; userId: number; status: Presence }
  | { kind: "read"; userId: number; seq: number };

/** Computes the room's state after a change. Pure: the socket, the poll and the composer all go through it. */
export function reduceRoomState(state: RoomState, change: RoomChange): RoomState {
  switch (change.kind) {
    case "received":
      return receiveMessages(state, change.messages);
    case "older":
      return { ...receiveMessages(state, change.messages), typing: state.typing, hasOlder: change.hasOlder };
    case "trimmed":
      return state.messages.length <= change.keep
        ? state
        : { ...state, messages: state.messages.slice(-change.keep), hasOlder: true };
    case "seated":
      return updateSeats(state, change.seats);
    case "moved":
      return state.handOver === change.handOver && state.askingCodes === change.askingCodes
        ? state
        : { ...state, handOver: change.handOver, askingCodes: change.askingCodes };
    case "waiting":
      return updatePending(state, change.pending);
    case "discarded":
      return { ...state, pending: state.pending.filter(({ clientId }) => clientId !== change.clientId) };
    case "connected":
      return {
        ...state,
        connected: change.connected,
        refused: false,
        typing: change.connected ? state.typing : [],
        // A new connection begins with who is present: what was known before is outdated.
        presence: change.connected ? {} : state.presence,
      };
    case "refused":
      return { ...state, refused: true };
    case "suspended":
      return { ...state, suspension: change.suspension };
    case "typing":
      return { ...state, typing: toggleTyping(state.typing, change.userId, change.on) };
    case "presence":
      return { ...state, presence: { ...state.presence, [change.userId]: change.status } };
    case "read":
      return { ...state, read: advanceRead(state.read, change.userId, change.seq) };
  }
}

/** The last `seq` that each of these members has read. */
export function readSeqsOf(seats: Seat[], known: Record<number, number> = {}): Record<number, number> {
  return seats.reduce((read, { id, readSeq }) => advanceRead(read, id, readSeq), known);
}

/** The highest `seq` below which nothing is missing: catching up starts after it. */
export function contiguousSeq(messages: Message[]): number {
  let last = messages[0]?.seq ?? 0;
  for (const { seq } of messages.slice(1)) {
    if (seq !== last + 1) break;
    last = seq;
  }
  return last;
}

/** The echo of a pending message replaces it: both carry the same client id. Unchanged messages stay the same objects. */
function receiveMessages(state: RoomState, arrived: Message[]): RoomState {
  const clientIds = new Set(arrived.map((message) => message.clientId));
  const senders = new Set(arrived.map((message) => message.senderId));
  return {
    ...state,
    messages: mergeMessages(state.messages, arrived),
    pending: state.pending.filter((item) => !clientIds.has(item.clientId)),
    typing: state.typing.filter((userId) => !senders.has(userId)),
  };
}

/** Merges two lists that are both in the order of `seq`. */
function mergeMessages(here: Message[], arrived: Message[]): Message[] {
  // Older messages arrive by the hundred while the reader scrolls: if all are older, no search is needed.
  if ((arrived.at(-1)?.seq ?? 0) < (here[0]?.seq ?? 0)) return [...arrived, ...here];
  const bySeq = new Map(here.map((message) => [message.seq, message]));
  for (const message of arrived) if (!bySeq.has(message.seq)) bySeq.set(message.seq, message);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/** Unchanged seats stay the same object, so that nothing is rendered again. */
function updateSeats(state: RoomState, seats: Seat[]): RoomState {
  const same = JSON.stringify(seats) === JSON.stringify(state.seats);
  return same ? state : { ...state, seats, read: readSeqsOf(seats, state.read) };
}

/** Adds or replaces a pending message, unless its echo has arrived already. */
function updatePending(state: RoomState, item: PendingMessage): RoomState {
  if (state.messages.some(({ clientId }) => clientId === item.clientId)) return state;
  const others = state.pending.filter(({ clientId }) => clientId !== item.clientId);
  return { ...state, pending: [...others, item].sort((a, b) => a.at - b.at) };
}

function advanceRead(read: Record<number, number>, userId: number, seq: number): Record<number, number> {
  return seq > (read[userId] ?? 0) ? { ...read, [userId]: seq } : read;
}

function toggleTyping(list: number[], userId: number, on: boolean): number[] {
  const others = list.filter((id) => id !== userId);
  return on ? [...others, userId] : others;
}
