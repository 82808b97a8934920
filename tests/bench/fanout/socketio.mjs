// The other reference of bench:fanout and bench:sockets: Socket.IO with its Redis adapter, as its manual sets it up. Runs in a temporary folder, on Node.
import { createServer } from "node:http";
import { createAdapter } from "@socket.io/redis-adapter";
import { createClient } from "redis";
import { Server } from "socket.io";

const publisher = createClient({ url: process.env.REDIS_URL });
const subscriber = publisher.duplicate();
await Promise.all([publisher.connect(), subscriber.connect()]);
const http = createServer();
const io = new Server(http, { transports: ["websocket"], adapter: createAdapter(publisher, subscriber) });
io.on("connection", (socket) => socket.join(socket.handshake.query.room));

let frame;

process.on("message", async (asked) => {
  if ("settle" in asked) {
    globalThis.gc();
    return process.send({});
  }
  if ("frame" in asked) {
    frame = JSON.parse(asked.frame);
    http.listen(0, "127.0.0.1", () => process.send({ port: http.address().port }));
    return;
  }
  for (let turn = 0; turn < asked.publish; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    io.to(asked.rooms[turn % asked.rooms.length]).emit("frame", frame);
  }
  process.send({});
});
process.on("disconnect", () => process.exit());
