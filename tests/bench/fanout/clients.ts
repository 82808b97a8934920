/**
 * The clients of bench:fanout, in a process of their own: real WebSockets that count the frames with `marker` in them. One
 * that closes ends the process: a delivery that never comes would else be waited for.
 */
import { marker } from "./shapes.ts";

type Asked =
  | { connect: Array<{ url: string; headers?: Record<string, string> }>; socketIo: boolean; group: string }
  | { expect: number; group: string }
  | { say: string; every: number; group: string };
/** Bun's takes headers, which no browser's does. */
const BunSocket = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => WebSocket;
const groups = new Map<string, { sockets: WebSocket[]; received: number; notify?: () => void }>();

process.on("message", async (asked: Asked) => {
  const group = groups.get(asked.group) ?? { sockets: [], received: 0 };
  groups.set(asked.group, group);
  if ("connect" in asked) {
    for (const { url, headers } of asked.connect) {
      group.sockets.push(await open(url, headers, asked.socketIo, () => hear(group)));
    }
    process.send?.({ open: group.sockets.length });
  } else if ("say" in asked) {
    for (let at = 0; at < group.sockets.length; at += asked.every) group.sockets[at]?.send(asked.say);
    process.send?.({});
  } else {
    await new Promise<void>((resolve) => {
      group.notify = () => {
        if (group.received >= asked.expect) resolve();
      };
      group.notify();
    });
    const { received } = group;
    group.received = 0;
    process.send?.({ received });
  }
});
process.on("disconnect", () => process.exit());

function hear(group: { received: number; notify?: () => void }): void {
  group.received += 1;
  group.notify?.();
}

function open(
  url: string,
  headers: Record<string, string> | undefined,
  socketIo: boolean,
  heard: () => void,
): Promise<WebSocket> {
  const socket = new BunSocket(url, { headers });
  const { promise, resolve } = Promise.withResolvers<WebSocket>();
  socket.onclose = ({ code, reason }) => {
    console.error(`${url} closed: ${code} ${reason}`);
    process.exit(1);
  };
  if (!socketIo) socket.onopen = () => resolve(socket);
  socket.onmessage = ({ data }) => {
    const text = String(data);
    if (text.includes(marker)) heard();
    else if (socketIo && text.startsWith("0"))
      socket.send("40"); // Engine.IO is open: join the namespace
    else if (socketIo && text.startsWith("40")) resolve(socket);
    else if (socketIo && text === "2") socket.send("3"); // ping, pong
  };
  return promise;
}
