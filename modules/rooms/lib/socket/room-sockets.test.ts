import { afterEach, expect, test } from "bun:test";
import { startBus, stopBus } from "#db/bus";
import { type Listener, RoomSockets } from "./room-sockets.ts";

afterEach(stopBus);

const listener = (userId: number, entered: boolean): Listener => ({
  roomId: 7,
  userId,
  sessionId: userId,
  status: "online",
  entered,
  end: () => {},
});

test("someone who was refused is present to nobody, on no instance", async () => {
  await startBus();
  const heard: string[] = [];
  const server = { publish: (_: string, frame: string) => heard.push(frame) };
  const here = new RoomSockets(7, "here", server);
  here.listeners.add(listener(1, true));
  const there = new RoomSockets(7, "there", { publish: () => 0 });
  there.listeners.add(listener(666, false));
  there.renew(new Date());
  there.tellPresence(666);
  // Another instance asks who is present.
  const third = new RoomSockets(7, "third", { publish: () => 0 });
  await Bun.sleep(10);
  expect(heard.join()).not.toContain("666");
  expect(heard.join()).toContain('"userId":1');
  for (const room of [here, there, third]) room.stop();
});
