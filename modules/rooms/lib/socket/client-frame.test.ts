import { expect, test } from "bun:test";
import { readFrame } from "./client-frame.ts";

test("the documented frames are parsed", () => {
  const frames = [
    { type: "chat", clientId: "a", payload: { content: "x", type: "text" } },
    { type: "chat", payload: {} },
    { type: "user_status", status: "away" },
    { type: "typing_start" },
    { type: "typing_end" },
    { type: "read", seq: 7 },
    { type: "ping" },
  ] as const;
  for (const frame of frames) expect(readFrame(JSON.stringify(frame))).toEqual({ ok: true, frame } as never);
});

test("an invalid frame is refused, with its client id if it has one", () => {
  expect(readFrame('{"type":"image","clientId":"a"}')).toEqual({ ok: false, clientId: "a" });
  expect(readFrame(JSON.stringify({ clientId: "x".repeat(500) }))).toEqual({
    ok: false,
    clientId: "x".repeat(100),
  });
  for (const text of [
    "",
    "{",
    "null",
    "5",
    '"chat"',
    "[]",
    "{}",
    '{"type":"chat","payload":5}',
    '{"clientId":5}',
  ]) {
    expect(readFrame(text)).toEqual({ ok: false, clientId: undefined });
  }
  expect(readFrame("[".repeat(16_000))).toEqual({ ok: false, clientId: undefined });
});
