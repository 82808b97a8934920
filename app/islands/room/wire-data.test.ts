import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { message, seat } from "./wire-data.fixture.ts";
import {
  type Check,
  isFrame,
  isMessage,
  isPendingMessage,
  isSeat,
  keepValid,
  parseJson,
} from "./wire-data.ts";

const warned = spyOn(console, "warn").mockImplementation(() => {});
afterEach(() => warned.mockClear());

const image = { width: 4, height: 3, small: "/s", full: "/f", caption: "" };
const notice = { code: "paid", params: { amount: 5, who: "Bat" }, text: "Paid" };
const text = { kind: "text", clientId: "0a", at: 1, content: "Hello" };
const picture = {
  ...{ kind: "image", clientId: "0a", at: 1, caption: "", width: 0, height: 0 },
  blob: new Blob(["x"]),
};

const accepted: Array<[string, Check<unknown>, unknown[]]> = [
  [
    "messages",
    isMessage,
    [
      message(1),
      { ...message(1), senderId: null, roomId: 5 },
      { ...message(1), type: "image", image },
      { ...message(1), notice },
      { ...message(1), notice: { ...notice, person: { id: 1, displayName: "Bat", avatarInitials: "B" } } },
    ],
  ],
  ["members", isSeat, [seat(1), { ...seat(1), email: "bat@example.mn" }]],
  [
    "frames",
    isFrame,
    [
      { type: "heartbeat", seq: 5, time: "" },
      { type: "ack", clientId: null, seq: 1, id: 1 },
      { type: "chat", seq: 1, payload: { any: "thing" } },
      { type: "of a later version" },
    ],
  ],
  ["stored entries", isPendingMessage, [text, { ...text, failed: "no" }, picture]],
];

const refused: Array<[string, Check<unknown>, unknown[]]> = [
  [
    "messages",
    isMessage,
    [
      ...[null, undefined, 1, "text", [], {}, [message(1)]],
      { ...message(1), id: "1" },
      { ...message(1), seq: Number.NaN },
      { ...message(1), senderId: undefined },
      { ...message(1), type: "video" },
      { ...message(1), content: { toString: "x" } },
      { ...message(1), image: { ...image, full: null } },
      { ...message(1), image: null },
      { ...message(1), notice: { ...notice, params: { amount: { $: 1 } } } },
      { ...message(1), notice: { ...notice, text: undefined } },
      { ...message(1), notice: { ...notice, person: { id: 1 } } },
    ],
  ],
  ["members", isSeat, [{}, { ...seat(1), role: "admin" }, { ...seat(1), readSeq: null }]],
  [
    "frames",
    isFrame,
    [
      ...[null, [], "chat", {}, { type: 1 }],
      { type: "read", userId: "1", seq: 2 },
      { type: "read", userId: 1, seq: "2" },
      { type: "user_status", userId: 1, status: "gone" },
      { type: "refused", clientId: 5, code: "THROTTLED" },
      { type: "refused", clientId: "a", code: "THROTTLED", retryAfterSeconds: "soon" },
    ],
  ],
  [
    "stored entries",
    isPendingMessage,
    [
      ...[null, "text", {}],
      { ...text, kind: "video" },
      { ...text, at: "1" },
      { ...text, content: undefined },
      { ...text, failed: 5 },
      { ...picture, blob: "x" },
    ],
  ],
];

describe("data from outside the page", () => {
  test.each(accepted)("valid %s are accepted", (_, check, values) => {
    for (const value of values) expect([value, check(value)]).toEqual([value, true]);
  });

  test.each(refused)("invalid %s are rejected", (_, check, values) => {
    for (const value of values) expect([value, check(value)]).toEqual([value, false]);
  });

  test("JSON is read if it is valid, else dropped with a line in the console", () => {
    expect(parseJson('{"type":"heartbeat"}', isFrame)).toEqual({ type: "heartbeat" });
    expect(warned).not.toHaveBeenCalled();
    for (const json of ["", "{", "null", '"chat"', '{"type":5}'])
      expect(parseJson(json, isFrame)).toBeUndefined();
    expect(warned).toHaveBeenCalledTimes(5);
  });

  test("the valid items of a list are kept in their order", () => {
    expect(keepValid([seat(1), null, seat(2), {}], isSeat)).toEqual([seat(1), seat(2)]);
    expect(warned).toHaveBeenCalledTimes(2);
    for (const value of [null, undefined, {}, { length: 1, 0: seat(1) }, "list"])
      expect(() => keepValid(value, isSeat)).toThrow("not a list");
  });
});
