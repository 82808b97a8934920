import { Elysia } from "elysia";
import type { Language } from "#locales";
import { roomsRoutes, socketOptions } from "../../http.ts";
import type { TestPerson } from "../core/rooms.fixture.ts";

// Test helpers: a listening instance, and clients that record received frames.

/** A separate instance with the rooms' routes, on a free port. */
export function listen() {
  const app = new Elysia({ websocket: socketOptions })
    .use(roomsRoutes)
    .listen({ port: 0, hostname: "127.0.0.1" });
  return { port: app.server?.port ?? 0, stop: () => app.server?.stop(true) };
}

export type Heard = {
  type: string;
  seq: number;
  userId: number;
  clientId: string;
  code: string;
  message: string;
  status: string;
  payload: { content: string; senderId: number; clientId: string; user: object; participants: object[] };
  data: unknown;
};

// Bun's WebSocket client accepts headers, unlike a browser's.
const Socket = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket;

type Options = {
  headers?: Record<string, string>;
  userId?: number | string;
  language?: Language;
  /** What the socket is for; a room's messages unless said. */
  query?: string;
};

/** Opens a socket and waits until it is accepted or closed. */
export async function openSocket(
  port: number,
  person: TestPerson | null,
  roomId: number | string,
  options: Options = {},
) {
  const userId = options.userId ?? person?.id ?? 1;
  const headers = {
    "accept-language": options.language ?? "en",
    ...(person && { cookie: person.cookie }),
    ...options.headers,
  };
  const query = options.query ?? `roomId=${roomId}`;
  const socket = new Socket(`ws://127.0.0.1:${port}/ws?${query}&userId=${userId}`, { headers });
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  let code: number | undefined;
  socket.onmessage = ({ data }) => {
    heard.push(JSON.parse(String(data)) as Heard);
    wake();
  };
  socket.onclose = (event) => {
    code = event.code;
    wake();
  };
  const until = <T>(look: () => T | undefined, what: string) =>
    new Promise<T>((resolve, reject) => {
      const end = setTimeout(
        () => reject(new Error(`never heard ${what}: ${JSON.stringify(heard)}`)),
        10_000,
      );
      const check = () => {
        const found = look();
        if (found === undefined) return;
        clearTimeout(end);
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  await until(() => (code !== undefined || heard.length > 0 ? true : undefined), "anything");
  return {
    heard,
    say: (frame: unknown) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    /** The first frame of this kind, already received or still to come. */
    hear: (type: string, like: (frame: Heard) => boolean = () => true) =>
      until(() => heard.find((frame) => frame.type === type && like(frame)), type),
    closed: () => until(() => code, "the end"),
    isOpen: () => code === undefined,
    close: (reason = 1000) => socket.close(reason),
    socket,
  };
}

/** Waits until `look` is true, for effects without a frame. On timeout, the error contains the result of `seen`. */
export async function eventually(
  look: () => boolean | Promise<boolean>,
  seen: () => unknown = () => "",
): Promise<void> {
  for (const from = Date.now(); Date.now() - from < 10_000; await Bun.sleep(10)) if (await look()) return;
  throw new Error(`it never came to be: ${JSON.stringify(seen())}`);
}
