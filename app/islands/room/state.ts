import type { HandOverState, Message, Pending, Presence, Seat } from "./types.ts";

export interface RoomState {
  seats: Seat[];
  handOver: HandOverState;
  /** In the order of `seq`, without a gap but for what is just being fetched. */
  messages: Message[];
  /** Older ones than those here exist. */
  hasOlder: boolean;
  /** What the server has not acknowledged, in the order it was written. */
  pending: Pending[];
  connected: boolean;
  /** The server lets this page not connect, and no other try will change that. */
  refused?: boolean;
  /** The explanation from `/suspended`, as HTML, once a suspension has ended this person's session. */
  suspension?: string;
  /** Whoever else is writing, by user id. */
  typing: number[];
  presence: Record<number, Presence>;
  /** How far each member has read, by user id. */
  read: Record<number, number>;
}

export type Change =
  | { kind: "received"; messages: Message[] }
  | { kind: "older"; messages: Message[]; hasOlder: boolean }
  | { kind: "trimmed"; keep: number }
  | { kind: "seated"; seats: Seat[] }
  | { kind: "moved"; handOver: HandOverState }
  | { kind: "waiting"; pending: Pending }
  | { kind: "discarded"; clientId: string }
  | { kind: "connected"; connected: boolean }
  | { kind: "refused" }
  | { kind: "suspended"; suspension: string }
  | { kind: "typing"; userId: number; on: boolean }
  | { kind: "presence"; userId: number; status: Presence }
  | { kind: "read"; userId: number; seq: number };

/** What the room shows after a change. Pure: the socket, the poll and the composer all speak through it. */
export function reduce(state: RoomState, change: Change): RoomState {
  switch (change.kind) {
    case "received":
      return received(state, change.messages);
    case "older":
      return { ...received(state, change.messages), typing: state.typing, hasOlder: change.hasOlder };
    case "trimmed":
      return state.messages.length <= change.keep
        ? state
        : { ...state, messages: state.messages.slice(-change.keep), hasOlder: true };
    case "seated":
      return seated(state, change.seats);
    case "moved":
      return state.handOver === change.handOver ? state : { ...state, handOver: change.handOver };
    case "waiting":
      return waiting(state, change.pending);
    case "discarded":
      return { ...state, pending: state.pending.filter(({ clientId }) => clientId !== change.clientId) };
    case "connected":
      return {
        ...state,
        connected: change.connected,
        refused: false,
        typing: change.connected ? state.typing : [],
      };
    case "refused":
      return { ...state, refused: true };
    case "suspended":
      return { ...state, suspension: change.suspension };
    case "typing":
      return { ...state, typing: toggled(state.typing, change.userId, change.on) };
    case "presence":
      return { ...state, presence: { ...state.presence, [change.userId]: change.status } };
    case "read":
      return { ...state, read: later(state.read, change.userId, change.seq) };
  }
}

/** How far each of these members has read. */
export function readOf(seats: Seat[], known: Record<number, number> = {}): Record<number, number> {
  return seats.reduce((read, { id, readSeq }) => later(read, id, readSeq), known);
}

/** The highest `seq` below which nothing is missing: catch-up asks for what comes after it. */
export function contiguousSeq(messages: Message[]): number {
  let last = messages[0]?.seq ?? 0;
  for (const { seq } of messages.slice(1)) {
    if (seq !== last + 1) break;
    last = seq;
  }
  return last;
}

/** The echo of a pending message replaces it: both carry one client id. What has not changed stays the same object. */
function received(state: RoomState, arrived: Message[]): RoomState {
  const clientIds = new Set(arrived.map((message) => message.clientId));
  const senders = new Set(arrived.map((message) => message.senderId));
  return {
    ...state,
    messages: merged(state.messages, arrived),
    pending: state.pending.filter((item) => !clientIds.has(item.clientId)),
    typing: state.typing.filter((userId) => !senders.has(userId)),
  };
}

/** Both in the order of `seq`. */
function merged(here: Message[], arrived: Message[]): Message[] {
  // Older ones come in by the hundred while somebody scrolls: what is here need not be looked through for them.
  if ((arrived.at(-1)?.seq ?? 0) < (here[0]?.seq ?? 0)) return [...arrived, ...here];
  const bySeq = new Map(here.map((message) => [message.seq, message]));
  for (const message of arrived) if (!bySeq.has(message.seq)) bySeq.set(message.seq, message);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/** Seats that are the same stay the same object, so that nothing is drawn anew for them. */
function seated(state: RoomState, seats: Seat[]): RoomState {
  const same = JSON.stringify(seats) === JSON.stringify(state.seats);
  return same ? state : { ...state, seats, read: readOf(seats, state.read) };
}

/** Adds what waits, or what is new about it; nothing once its echo has been heard. */
function waiting(state: RoomState, item: Pending): RoomState {
  if (state.messages.some(({ clientId }) => clientId === item.clientId)) return state;
  const others = state.pending.filter(({ clientId }) => clientId !== item.clientId);
  return { ...state, pending: [...others, item].sort((a, b) => a.at - b.at) };
}

function later(read: Record<number, number>, userId: number, seq: number): Record<number, number> {
  return seq > (read[userId] ?? 0) ? { ...read, [userId]: seq } : read;
}

function toggled(list: number[], userId: number, on: boolean): number[] {
  const others = list.filter((id) => id !== userId);
  return on ? [...others, userId] : others;
}
