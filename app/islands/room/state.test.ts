import { expect, test } from "bun:test";
import { contiguousSeq, type RoomState, reduce } from "./state.ts";
import type { Message } from "./types.ts";

const empty: RoomState = { seats: [], messages: [], pending: [], connected: false, typing: [], presence: {} };

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

test("messages stand in the order of their seq, each once, however they arrive", () => {
  let state = reduce(empty, { kind: "received", messages: [message(3), message(1)] });
  state = reduce(state, { kind: "received", messages: [message(2), message(3)] });
  expect(state.messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test("a gap is seen: catch-up starts below it", () => {
  expect(contiguousSeq([message(4), message(5), message(8)])).toBe(5);
  expect(contiguousSeq([])).toBe(0);
});

test("the echo takes the place of the pending message with the same client id", () => {
  const queued = reduce(empty, { kind: "queued", pending: { clientId: "a", content: "hi" } });
  const state = reduce(queued, { kind: "received", messages: [message(1, { clientId: "a" })] });
  expect(state.pending).toEqual([]);
  expect(state.messages).toHaveLength(1);
});

test("a refused message stays, says why, and may be sent again", () => {
  const queued = reduce(empty, { kind: "queued", pending: { clientId: "a", content: "hi" } });
  const failed = reduce(queued, { kind: "failed", clientId: "a", reason: "no" });
  expect(failed.pending).toEqual([{ clientId: "a", content: "hi", failed: "no" }]);
  expect(reduce(failed, { kind: "retried", clientId: "a" }).pending).toEqual([
    { clientId: "a", content: "hi" },
  ]);
});

test("who sends a message has stopped typing", () => {
  const typing = reduce(empty, { kind: "typing", userId: 7, on: true });
  expect(reduce(typing, { kind: "received", messages: [message(1, { senderId: 7 })] }).typing).toEqual([]);
});
