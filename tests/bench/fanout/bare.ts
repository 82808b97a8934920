/** The bare reference of bench:fanout and bench:sockets: Bun's own publish and subscribe, nothing else. The frame comes ready made. */
import { settled } from "../sockets/settled.ts";
import { everyTurn, type Publish } from "./turns.ts";

let frame = "";

const server = Bun.serve<{ room: string }, never>({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request, server) {
    const room = new URL(request.url).searchParams.get("room") ?? "";
    return server.upgrade(request, { data: { room } }) ? undefined : new Response(null, { status: 400 });
  },
  websocket: {
    open(socket) {
      socket.subscribe(socket.data.room);
    },
    message() {},
  },
});

process.on("message", async (asked: { frame: string } | { settle: true } | Publish) => {
  if ("settle" in asked) return process.send?.(settled());
  if ("frame" in asked) {
    frame = asked.frame;
    process.send?.({ port: server.port });
    return;
  }
  await everyTurn(asked.publish, (turn) =>
    server.publish(asked.rooms[turn % asked.rooms.length] ?? "", frame),
  );
  process.send?.({});
});
process.on("disconnect", () => process.exit());
