import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import { message } from "../wire-data.fixture.ts";
import { connectRoom } from "./room-socket.ts";

/** Stands in for the browser's WebSocket: opens, and closes when the test says so. */
class Socket {
  static made: Socket[] = [];
  onopen?: () => void;
  onclose?: (event: { code: number }) => void;
  onmessage?: (event: { data: unknown }) => void;
  constructor() {
    Socket.made.push(this);
  }
  close() {}
  /** The server accepts the socket and closes it at once with this code. */
  ends(code: number): void {
    this.onopen?.();
    this.onclose?.({ code });
  }
}

const replaced = { WebSocket: Socket, location: new URL("https://midman.mn/chat/1"), addEventListener() {} };
const names = Object.keys(replaced) as (keyof typeof replaced)[];
const former = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));

beforeEach(() => {
  Socket.made = [];
  for (const name of names)
    Object.defineProperty(globalThis, name, { value: replaced[name], configurable: true, writable: true });
  jest.useFakeTimers();
});
afterEach(() => {
  jest.clearAllTimers();
  jest.useRealTimers();
  for (const [i, name] of names.entries()) {
    const was = former[i];
    if (was === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, was);
  }
});

/** A room's connection, and how often it was refused. */
function connected() {
  const told = { closed: 0, refused: 0 };
  const handlers = new Proxy({} as Parameters<typeof connectRoom>[2], {
    get: (_, name) => () => {
      if (name === "onClose") told.closed += 1;
      if (name === "onRefused") told.refused += 1;
    },
  });
  connectRoom(1, 2, handlers);
  return told;
}

test("after “too many sockets” the script reconnects, each time after the longest pause", () => {
  const told = connected();
  for (let time = 1; time <= 4; time++) {
    Socket.made.at(-1)?.ends(4429);
    jest.advanceTimersByTime(22_000);
    expect(Socket.made).toHaveLength(time);
    jest.advanceTimersByTime(16_000);
    expect(Socket.made).toHaveLength(time + 1);
  }
  expect(told).toEqual({ closed: 4, refused: 0 });
});

test("a hundred sockets that a restart closed reconnect within five seconds, and not all in the same second", () => {
  for (let n = 0; n < 100; n++) connected();
  for (const socket of [...Socket.made]) socket.ends(1012);
  jest.advanceTimersByTime(499);
  expect(Socket.made).toHaveLength(100);
  const each = [1_001, 1_000, 1_000, 1_000, 500].map((ms) => {
    const before = Socket.made.length;
    jest.advanceTimersByTime(ms);
    return Socket.made.length - before;
  });
  expect(Socket.made).toHaveLength(200);
  expect(Math.max(...each)).toBeLessThan(45);
});

test("reconnects within seconds after a restart; after invalid frames it stays closed and says so", () => {
  const told = connected();
  Socket.made.at(-1)?.ends(1012);
  jest.advanceTimersByTime(5_000);
  expect(Socket.made).toHaveLength(2);
  Socket.made.at(-1)?.ends(4400);
  jest.advanceTimersByTime(600_000);
  expect(Socket.made).toHaveLength(2);
  expect(told).toEqual({ closed: 2, refused: 1 });
});

test("a frame of another form is dropped, and later frames are read", () => {
  const warned = spyOn(console, "warn").mockImplementation(() => {});
  // Another file may have left its spy, with its calls.
  warned.mockClear();
  const calls: unknown[][] = [];
  const handlers = new Proxy({} as Parameters<typeof connectRoom>[2], {
    get:
      (_, name) =>
      (...given: unknown[]) =>
        calls.push([name, ...given]),
  });
  connectRoom(1, 2, handlers);
  const says = (data: unknown) => Socket.made.at(-1)?.onmessage?.({ data });
  for (const data of [
    "",
    "{",
    "null",
    "[]",
    "1",
    '{"seq":1}',
    '{"type":"read","userId":{},"seq":1}',
    new Blob(),
  ])
    expect(() => says(data)).not.toThrow();
  expect(calls).toEqual([]);
  expect(warned).toHaveBeenCalledTimes(8);
  says(JSON.stringify({ type: "chat", seq: 4, payload: message(4) }));
  // Of a message that cannot be read its place is known: the page asks for it.
  says(JSON.stringify({ type: "chat", seq: 5, payload: { ...message(5), content: null } }));
  expect(calls).toEqual([
    ["onMessage", message(4)],
    ["onSeq", 3],
    ["onSeq", 5],
  ]);
  warned.mockRestore();
});
