import type { HandOverState, Message, PendingMessage, Presence, Seat } from "./types.ts";

export interface RoomState {
  seats: Seat[];
  handOver: HandOverState;
  /** In the order of `seq`, without a gap but for what is just being fetched. */
  messages: Message[];
  /** Older ones than those here exist. */
  hasOlder: boolean;
  /** What the server has not acknowledged, in the order it was written. */
  pending: PendingMessage[];
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

export type RoomChange =
  | { kind: "received"; messages: Message[] }
  | { kind: "older"; messages: Message[]; hasOlder: boolean }
  | { kind: "trimmed"; keep: number }
  | { kind: "seated"; seats: Seat[] }
  | { kind: "moved"; handOver: HandOverState }
  | { kind: "waiting"; pending: PendingMessage }
  | { kind: "discarded"; clientId: string }
  | { kind: "connected"; connected: boolean }
  | { kind: "refused" }
  | { kind: "suspended"; suspension: string }
  | { kind: "typing"; userId: number; on: boolean }
  | { kind: "presence"; userId: number; status: Presence }
  | { kind: "read"; userId: number; seq: number };

/** What the room shows after a change. Pure: the socket, the poll and the composer all speak through it. */
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
      return state.handOver === change.handOver ? state : { ...state, handOver: change.handOver };
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

/** How far each of these members has read. */
export function readSeqsOf(seats: Seat[], known: Record<number, number> = {}): Record<number, number> {
  return seats.reduce((read, { id, readSeq }) => advanceRead(read, id, readSeq), known);
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

/** Both in the order of `seq`. */
function mergeMessages(here: Message[], arrived: Message[]): Message[] {
  // Older ones come in by the hundred while somebody scrolls: what is here need not be looked through for them.
  if ((arrived.at(-1)?.seq ?? 0) < (here[0]?.seq ?? 0)) return [...arrived, ...here];
  const bySeq = new Map(here.map((message) => [message.seq, message]));
  for (const message of arrived) if (!bySeq.has(message.seq)) bySeq.set(message.seq, message);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/** Seats that are the same stay the same object, so that nothing is drawn anew for them. */
function updateSeats(state: RoomState, seats: Seat[]): RoomState {
  const same = JSON.stringify(seats) === JSON.stringify(state.seats);
  return same ? state : { ...state, seats, read: readSeqsOf(seats, state.read) };
}

/** Adds what waits, or what is new about it; nothing once its echo has been heard. */
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
