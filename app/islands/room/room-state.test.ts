import { expect, test } from "bun:test";
import { contiguousSeq, type RoomState, readSeqsOf, reduceRoomState } from "./room-state.ts";
import type { Message, PendingMessage, Seat } from "./types.ts";

const empty: RoomState = {
  seats: [],
  messages: [],
  handOver: "over",
  askingCodes: "",
  hasOlder: false,
  pending: [],
  connected: false,
  typing: [],
  presence: {},
  read: {},
};

const waiting = (clientId: string, at: number, failed?: string): PendingMessage => ({
  kind: "text",
  clientId,
  content: "hi",
  at,
  ...(failed !== undefined && { failed }),
});

function message(seq: number, over: Partial<Message> = {}): Message {
  return {
    id: seq,
    seq,
    senderId: 1,
    clientId: null,
    type: "text",
    content: `m${seq}`,
    imageUrl: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    ...over,
  };
}

const seqs = (state: RoomState) => state.messages.map(({ seq }) => seq);

test("messages are in the order of their seq, each once, however they arrive", () => {
  let state = reduceRoomState(empty, { kind: "received", messages: [message(3), message(1)] });
  state = reduceRoomState(state, { kind: "received", messages: [message(2), message(3)] });
  expect(seqs(state)).toEqual([1, 2, 3]);
});

test("a gap is detected, and catch-up starts below it", () => {
  expect(contiguousSeq([message(4), message(5), message(8)])).toBe(5);
  expect(contiguousSeq([])).toBe(0);
});

test("older messages come before the others, and a gap behind them is still detected", () => {
  const state = reduceRoomState(
    { ...empty, hasOlder: true, messages: [message(11), message(12), message(15)], typing: [1] },
    { kind: "older", messages: [message(9), message(10)], hasOlder: false },
  );
  expect(seqs(state)).toEqual([9, 10, 11, 12, 15]);
  expect(state.hasOlder).toBe(false);
  expect(contiguousSeq(state.messages)).toBe(12);
  expect(state.typing).toEqual([1]);
});

test("messages that were dropped from memory can be loaded again", () => {
  const held = { ...empty, messages: [message(1), message(2), message(3)] };
  const state = reduceRoomState(held, { kind: "trimmed", keep: 2 });
  expect(seqs(state)).toEqual([2, 3]);
  expect(state.hasOlder).toBe(true);
  expect(reduceRoomState(held, { kind: "trimmed", keep: 3 })).toBe(held);
});

test("a message that arrives again stays the same object, so nothing is redrawn", () => {
  const first = message(1);
  const held = reduceRoomState(empty, { kind: "received", messages: [first] });
  expect(reduceRoomState(held, { kind: "received", messages: [message(1)] }).messages[0]).toBe(first);
});

test("the server's copy replaces the pending message with the same client id", () => {
  const queued = reduceRoomState(empty, { kind: "waiting", pending: waiting("a", 1) });
  const state = reduceRoomState(queued, { kind: "received", messages: [message(1, { clientId: "a" })] });
  expect(state.pending).toEqual([]);
  expect(state.messages).toHaveLength(1);
  expect(reduceRoomState(state, { kind: "waiting", pending: waiting("a", 1) })).toBe(state);
});

test("pending messages keep the order of writing, and a refused one shows the reason until it is discarded", () => {
  let state = reduceRoomState(empty, { kind: "waiting", pending: waiting("b", 2) });
  state = reduceRoomState(state, { kind: "waiting", pending: waiting("a", 1) });
  state = reduceRoomState(state, { kind: "waiting", pending: waiting("b", 2, "no") });
  expect(state.pending).toEqual([waiting("a", 1), waiting("b", 2, "no")]);
  expect(reduceRoomState(state, { kind: "discarded", clientId: "b" }).pending).toEqual([waiting("a", 1)]);
});

test("read marks only move forward, whether a frame or a member list brings them", () => {
  const seat = { id: 7, readSeq: 5 } as Seat;
  let state = reduceRoomState(empty, { kind: "read", userId: 7, seq: 4 });
  state = reduceRoomState(state, { kind: "seated", seats: [seat] });
  state = reduceRoomState(state, { kind: "read", userId: 7, seq: 3 });
  expect(state.read).toEqual({ 7: 5 });
  expect(readSeqsOf([seat, { ...seat, id: 8, readSeq: 0 }])).toEqual({ 7: 5 });
  expect(reduceRoomState(state, { kind: "seated", seats: [{ ...seat }] })).toBe(state);
});

test("a member who sends a message has stopped typing", () => {
  const typing = reduceRoomState(empty, { kind: "typing", userId: 7, on: true });
  expect(
    reduceRoomState(typing, { kind: "received", messages: [message(1, { senderId: 7 })] }).typing,
  ).toEqual([]);
});

test("the data of the notices changes only when the trade moves on", () => {
  const moved = reduceRoomState(empty, { kind: "moved", handOver: "cancelled", askingCodes: "" });
  expect(moved).toEqual({ ...empty, handOver: "cancelled" });
  expect(reduceRoomState(moved, { kind: "moved", handOver: "cancelled", askingCodes: "" })).toBe(moved);
  expect(
    reduceRoomState(moved, { kind: "moved", handOver: "cancelled", askingCodes: "cancelledByBoth" }),
  ).toEqual({
    ...moved,
    askingCodes: "cancelledByBoth",
  });
});
