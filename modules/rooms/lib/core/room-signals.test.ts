import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { publishHint } from "#db/bus";
import { metricsRegistry } from "#db/metrics";
import { onRoomSignal, type RoomSignal, roomTopic, sendRoomSignal } from "./room-signals.ts";

let heard: RoomSignal[];
let stop: () => void;

beforeEach(() => {
  heard = [];
  stop = onRoomSignal(7, (signal) => heard.push(signal));
});
afterEach(() => stop());

async function countRejected(): Promise<number> {
  const [, count] = /^midman_bus_rejected_total (\d+)$/m.exec(await metricsRegistry.metrics()) ?? [];
  if (count === undefined) throw new Error("the metric is missing");
  return Number(count);
}

describe("a room's signals", () => {
  test("arrive unchanged", async () => {
    const sent: RoomSignal[] = [
      { kind: "presence", userId: 1, instance: "here", status: "away" },
      { kind: "who" },
      { kind: "cut", userId: 2 },
      { kind: "cut" },
    ];
    for (const signal of sent) sendRoomSignal(7, signal);
    sendRoomSignal(7, { kind: "frame", frame: '{"type":"chat"}' });
    sendRoomSignal(7, { kind: "frames", frames: { mn: "{}", en: "{}" } });
    await Bun.sleep(1);
    expect(heard).toEqual([
      ...sent,
      { kind: "frame", frame: '{"type":"chat"}', at: expect.any(Number) },
      { kind: "frames", frames: { mn: "{}", en: "{}" }, at: expect.any(Number) },
    ]);
  });

  test.each([
    ["nothing", ""],
    ["JSON that is cut off", '{"kind":"cut"'],
    ["no object", "{}"],
    ["an unknown kind", '{"kind":"halt"}'],
    ["a member who is no number", '{"kind":"cut","userId":"2"}'],
    ["nobody at all", '{"kind":"cut","userId":null}'],
    ["a presence that there is not", '{"kind":"presence","userId":1,"instance":"a","status":"gone"}'],
    ["a presence of no instance", '{"kind":"presence","userId":1,"status":"away"}'],
    ["frames in one language alone", '{"kind":"frames","frames":{"mn":"{}"}}'],
    ["a frame without its moment", 'x {"type":"chat"}'],
    ["a frame that is no object", "1 chat"],
  ])("are dropped and counted if they are %s", async (_, message) => {
    const before = await countRejected();
    publishHint(roomTopic(7), message);
    await Bun.sleep(1);
    expect(heard).toEqual([]);
    expect(await countRejected()).toBe(before + 1);
  });
});
