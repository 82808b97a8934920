import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { listEntries } from "#modules/audit";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { sendRoomSignal } from "../core/room-signals.ts";
import { aPair, unthrottled } from "../core/rooms.fixture.ts";
import { eventually, listen, openSocket } from "./socket.fixture.ts";
import { closeSockets, stopRooms } from "./socket-lifecycle.ts";

// Registered before the database's own hook, so it runs first.
afterAll(async () => {
  closeSockets();
  await stopRooms();
  here.stop();
});

useDatabase();
unthrottled();
let here: ReturnType<typeof listen>;
beforeAll(() => {
  here = listen();
});
test("a client that reads too slowly is closed, and delays nobody else", async () => {
  const { seller, buyer, roomId } = await aPair();
  const quick = await openSocket(here.port, seller, roomId);
  const slow = connect(here.port, "127.0.0.1");
  slow.write(
    [
      `GET /ws?roomId=${roomId}&userId=${buyer.id} HTTP/1.1`,
      `Host: 127.0.0.1:${here.port}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      `Cookie: ${buyer.cookie}`,
      "\r\n",
    ].join("\r\n"),
  );
  slow.pause();
  slow.on("error", () => {});
  await quick.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "online");
  const frame = JSON.stringify({ type: "transaction_update", data: "x".repeat(15_000) });
  for (let n = 0; n < 2000; n++) {
    sendRoomSignal(roomId, { kind: "frame", frame });
    if (n % 10 === 0) await Bun.sleep(0);
  }
  await quick.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "offline");
  const over = async () =>
    (await listEntries({ roomId, userId: buyer.id, action: "websocket_disconnect" })).entries;
  await eventually(async () => (await over()).length === 1);
  expect(quick.isOpen()).toBe(true);
  await eventually(() => quick.heard.filter(({ type }) => type === "transaction_update").length === 2000);
  slow.destroy();
  quick.close();
});
