/**
 * The phones of bench:messages, in a process of their own: one socket a room. Asked to, they talk for some seconds, in one room after
 * the other, so many messages under way at once, each waited for until it is acknowledged, which is after its commit.
 */
export type Asked =
  | { connect: Array<{ url: string; headers?: Record<string, string> }> }
  | { say: string }
  | { talk: number; atOnce: number };

/** What each message says. */
export const words = "The account has two rare skins, and the mail address goes with it.";

/** Bun's takes headers, which no browser's does. */
const BunSocket = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => WebSocket;
const sockets: WebSocket[] = [];
const waiting = new Map<string, () => void>();

process.on("message", async (asked: Asked) => {
  if ("connect" in asked) {
    for (const { url, headers } of asked.connect) sockets.push(await open(url, headers));
    process.send?.({ open: sockets.length });
  } else if ("say" in asked) {
    await say(0, asked.say);
    process.send?.({});
  } else {
    process.send?.(await talk(asked.talk, asked.atOnce));
  }
});
process.on("disconnect", () => process.exit());

function open(url: string, headers: Record<string, string> | undefined): Promise<WebSocket> {
  const socket = new BunSocket(url, { headers });
  const { promise, resolve } = Promise.withResolvers<WebSocket>();
  socket.onopen = () => resolve(socket);
  socket.onclose = ({ code, reason }) => fail(`${url} closed: ${code} ${reason}`);
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(String(data));
    if (frame.type === "refused") fail(String(data));
    if (frame.type !== "ack") return;
    waiting.get(frame.clientId)?.();
    waiting.delete(frame.clientId);
  };
  return promise;
}

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}

/** Says it in that room, and waits until it is acknowledged. */
function say(room: number, clientId: string): Promise<void> {
  const heard = new Promise<void>((resolve) => waiting.set(clientId, resolve));
  const payload = { type: "text", content: words };
  sockets[room % sockets.length]?.send(JSON.stringify({ type: "chat", clientId, payload }));
  return heard;
}

async function talk(seconds: number, atOnce: number): Promise<{ acknowledged: number; seconds: number }> {
  const from = performance.now();
  let [room, acknowledged] = [0, 0];
  const member = async () => {
    while (performance.now() < from + seconds * 1000) {
      await say(room++, crypto.randomUUID());
      acknowledged += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, member));
  return { acknowledged, seconds: (performance.now() - from) / 1000 };
}
