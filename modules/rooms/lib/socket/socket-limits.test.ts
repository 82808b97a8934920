import { afterAll, beforeAll, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { listEntries } from "#modules/audit";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPair, aRoom, unthrottled } from "../core/rooms.fixture.ts";
import { maxSocketsPerPerson } from "./limits.ts";
import { eventually, listen, openSocket } from "./socket.fixture.ts";
import { closeSockets, startRooms, stopRooms } from "./socket-lifecycle.ts";

// Registered before the database's own hook, so it runs first.
afterAll(async () => {
  closeSockets();
  await stopRooms();
  here.stop();
});

useDatabase();
unthrottled();
let here: ReturnType<typeof listen>;

beforeAll(async () => {
  await startRooms();
  here = listen();
});

/** Runs `work` with the limits that people have, and returns its result. */
async function limited<T>(work: () => Promise<T>): Promise<T> {
  overrideConfig({ THROTTLE_FACTOR: 1 });
  try {
    return await work();
  } finally {
    overrideConfig({ THROTTLE_FACTOR: 10_000 });
  }
}

test("a person has a limited number of sockets over all rooms; closing one frees a place, others have their own", async () => {
  const { seller, buyer, roomId } = await aPair();
  const second = await aRoom(seller);
  await limited(async () => {
    const open = await Promise.all(
      Array.from({ length: maxSocketsPerPerson }, (_, i) =>
        openSocket(here.port, seller, i % 2 ? second.id : roomId),
      ),
    );
    expect(open.every((socket) => socket.isOpen())).toBe(true);
    const over = await openSocket(here.port, seller, roomId);
    expect(await over.closed()).toBe(4429);
    expect(over.heard).toMatchObject([{ type: "refused", code: "THROTTLED" }]);
    const other = await openSocket(here.port, buyer, roomId);
    expect(other.heard[0]).toMatchObject({ type: "heartbeat" });
    open[0]?.close();
    await open[0]?.closed();
    await eventually(async () => {
      const again = await openSocket(here.port, seller, roomId);
      return again.heard[0]?.type === "heartbeat";
    });
    for (const socket of [...open, other]) socket.close();
  });
});

test("someone who opens them too fast is closed before room or log are informed, and may return later", async () => {
  const { seller, buyer, roomId } = await aPair();
  const watching = await openSocket(here.port, buyer, roomId);
  const codes = await limited(async () => {
    const ends: number[] = [];
    for (let n = 0; n < 80; n++) {
      const socket = await openSocket(here.port, seller, roomId);
      if (socket.isOpen() && socket.heard[0]?.type === "heartbeat") socket.close();
      ends.push(await socket.closed());
    }
    return ends;
  });
  const taken = codes.filter((code) => code === 1000).length;
  expect(taken).toBeGreaterThanOrEqual(60);
  expect(taken).toBeLessThan(80);
  expect(codes.at(-1)).toBe(4429);
  const entries = async (action: string) =>
    (await listEntries({ roomId, userId: seller.id, action, limit: 100 })).entries.length;
  await eventually(async () => (await entries("websocket_disconnect")) === taken);
  expect(await entries("websocket_connect")).toBe(taken);
  const again = await openSocket(here.port, seller, roomId);
  expect(again.heard[0]).toMatchObject({ type: "heartbeat" });
  for (const socket of [again, watching]) socket.close();
});
