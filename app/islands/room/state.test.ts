import { expect, test } from "bun:test";
import { contiguousSeq, type RoomState, readOf, reduce } from "./state.ts";
import type { Message, Pending, Seat } from "./types.ts";

const empty: RoomState = {
  seats: [],
  messages: [],
  handOver: "over",
  hasOlder: false,
  pending: [],
  connected: false,
  typing: [],
  presence: {},
  read: {},
};

const waiting = (clientId: string, at: number, failed?: string): Pending => ({
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

test("messages stand in the order of their seq, each once, however they arrive", () => {
  let state = reduce(empty, { kind: "received", messages: [message(3), message(1)] });
  state = reduce(state, { kind: "received", messages: [message(2), message(3)] });
  expect(seqs(state)).toEqual([1, 2, 3]);
});

test("a gap is seen: catch-up starts below it", () => {
  expect(contiguousSeq([message(4), message(5), message(8)])).toBe(5);
  expect(contiguousSeq([])).toBe(0);
});

test("older messages come before the others, and a gap behind them is still seen", () => {
  const state = reduce(
    { ...empty, hasOlder: true, messages: [message(11), message(12), message(15)], typing: [1] },
    { kind: "older", messages: [message(9), message(10)], hasOlder: false },
  );
  expect(seqs(state)).toEqual([9, 10, 11, 12, 15]);
  expect(state.hasOlder).toBe(false);
  expect(contiguousSeq(state.messages)).toBe(12);
  expect(state.typing).toEqual([1]);
});

test("what is let go of can be asked for again", () => {
  const held = { ...empty, messages: [message(1), message(2), message(3)] };
  const state = reduce(held, { kind: "trimmed", keep: 2 });
  expect(seqs(state)).toEqual([2, 3]);
  expect(state.hasOlder).toBe(true);
  expect(reduce(held, { kind: "trimmed", keep: 3 })).toBe(held);
});

test("a message that is heard again stays the same object, so that nothing is drawn anew", () => {
  const first = message(1);
  const held = reduce(empty, { kind: "received", messages: [first] });
  expect(reduce(held, { kind: "received", messages: [message(1)] }).messages[0]).toBe(first);
});

test("the echo takes the place of the pending message with the same client id", () => {
  const queued = reduce(empty, { kind: "waiting", pending: waiting("a", 1) });
  const state = reduce(queued, { kind: "received", messages: [message(1, { clientId: "a" })] });
  expect(state.pending).toEqual([]);
  expect(state.messages).toHaveLength(1);
  expect(reduce(state, { kind: "waiting", pending: waiting("a", 1) })).toBe(state);
});

test("what waits stands in the order it was written, and a refused message says why until it is discarded", () => {
  let state = reduce(empty, { kind: "waiting", pending: waiting("b", 2) });
  state = reduce(state, { kind: "waiting", pending: waiting("a", 1) });
  state = reduce(state, { kind: "waiting", pending: waiting("b", 2, "no") });
  expect(state.pending).toEqual([waiting("a", 1), waiting("b", 2, "no")]);
  expect(reduce(state, { kind: "discarded", clientId: "b" }).pending).toEqual([waiting("a", 1)]);
});

test("marks of what was read only move on, whether a frame or a seat tells them", () => {
  const seat = { id: 7, readSeq: 5 } as Seat;
  let state = reduce(empty, { kind: "read", userId: 7, seq: 4 });
  state = reduce(state, { kind: "seated", seats: [seat] });
  state = reduce(state, { kind: "read", userId: 7, seq: 3 });
  expect(state.read).toEqual({ 7: 5 });
  expect(readOf([seat, { ...seat, id: 8, readSeq: 0 }])).toEqual({ 7: 5 });
  expect(reduce(state, { kind: "seated", seats: [{ ...seat }] })).toBe(state);
});

test("who sends a message has stopped typing", () => {
  const typing = reduce(empty, { kind: "typing", userId: 7, on: true });
  expect(reduce(typing, { kind: "received", messages: [message(1, { senderId: 7 })] }).typing).toEqual([]);
});

test("what holds of the notice that goods are handed over upon changes alone, and not for the same", () => {
  const moved = reduce(empty, { kind: "moved", handOver: "cancelled" });
  expect(moved).toEqual({ ...empty, handOver: "cancelled" });
  expect(reduce(moved, { kind: "moved", handOver: "cancelled" })).toBe(moved);
});
