import type { Message, Pending, Presence, Seat } from "./types.ts";

export interface RoomState {
  seats: Seat[];
  messages: Message[];
  pending: Pending[];
  connected: boolean;
  /** Whoever else is writing, by user id. */
  typing: number[];
  presence: Record<number, Presence>;
}

export type Change =
  | { kind: "received"; messages: Message[] }
  | { kind: "seated"; seats: Seat[] }
  | { kind: "queued"; pending: Pending }
  | { kind: "failed"; clientId: string; reason: string }
  | { kind: "retried"; clientId: string }
  | { kind: "connected"; connected: boolean }
  | { kind: "typing"; userId: number; on: boolean }
  | { kind: "presence"; userId: number; status: Presence };

/** What the room shows after a change. Pure: the socket, the poll and the composer all speak through it. */
export function reduce(state: RoomState, change: Change): RoomState {
  switch (change.kind) {
    case "received":
      return received(state, change.messages);
    case "seated":
      return { ...state, seats: change.seats };
    case "queued":
      return { ...state, pending: [...state.pending, change.pending] };
    case "failed":
      return { ...state, pending: state.pending.map((item) => marked(item, change.clientId, change.reason)) };
    case "retried":
      return { ...state, pending: state.pending.map((item) => marked(item, change.clientId, undefined)) };
    case "connected":
      return { ...state, connected: change.connected, typing: change.connected ? state.typing : [] };
    case "typing":
      return { ...state, typing: toggled(state.typing, change.userId, change.on) };
    case "presence":
      return { ...state, presence: { ...state.presence, [change.userId]: change.status } };
  }
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

/** The echo of a pending message replaces it: both carry one client id. */
function received(state: RoomState, arrived: Message[]): RoomState {
  const bySeq = new Map(state.messages.map((message) => [message.seq, message]));
  for (const message of arrived) bySeq.set(message.seq, message);
  const messages = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  const known = new Set(messages.map((message) => message.clientId));
  const senders = new Set(arrived.map((message) => message.senderId));
  return {
    ...state,
    messages,
    pending: state.pending.filter((item) => !known.has(item.clientId)),
    typing: state.typing.filter((userId) => !senders.has(userId)),
  };
}

function marked(item: Pending, clientId: string, failed: string | undefined): Pending {
  if (item.clientId !== clientId) return item;
  const { clientId: id, content } = item;
  return failed === undefined ? { clientId: id, content } : { clientId: id, content, failed };
}

function toggled(list: number[], userId: number, on: boolean): number[] {
  const others = list.filter((id) => id !== userId);
  return on ? [...others, userId] : others;
}
