import { connect, createServer } from "node:net";

/**
 * Sends bytes as they are to a port of loopback, and answers all that came back until it closed, or fell silent for `silenceMs`
 * after its first word; it has ten seconds for that one.
 */
export function rawExchange(port: number, text: string, silenceMs = 300): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text, "latin1"));
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on("data", (bytes) => {
      heard += bytes.toString("latin1");
      socket.setTimeout(silenceMs);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(heard));
  });
}

/** A door of loopback that counts who knocks, and lets nobody in. */
export async function startKnockCounter() {
  let knocks = 0;
  const server = createServer((socket) => {
    knocks += 1;
    socket.on("error", () => {});
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    knocks: () => knocks,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
