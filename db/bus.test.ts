import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import "../tests/support/environment.ts";
import { startRedis } from "../tests/support/services/redis.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { busState, parseHint, publishHint, startBus, stopBus, subscribeToHints } from "./bus.ts";

setDefaultTimeout(60_000);

afterEach(stopBus);

/** Collects the messages of a topic. */
function listen(topic: string): { heard: string[]; end: () => void } {
  const heard: string[] = [];
  return { heard, end: subscribeToHints(topic, (message) => void heard.push(message)) };
}

describe("within one process", () => {
  test("every subscriber of a topic is called, after the publisher has returned", async () => {
    await startBus();
    const [one, two, other] = [listen("a"), listen("a"), listen("b")];
    publishHint("a", "hello");
    expect(one.heard).toEqual([]);
    await waitUntil(() => one.heard.length > 0);
    expect([one.heard, two.heard, other.heard]).toEqual([["hello"], ["hello"], []]);
    expect(busState()).toBe("local");
    for (const { end } of [one, two, other]) end();
  });

  test("an unsubscribed listener is not called any more, the others are", async () => {
    const [one, two] = [listen("a"), listen("a")];
    one.end();
    one.end();
    publishHint("a", "second");
    await waitUntil(() => two.heard.length > 0);
    expect(one.heard).toEqual([]);
    two.end();
  });

  test("an invalid message is skipped, and the next one is read", () => {
    const form = z.object({ id: z.int() });
    for (const message of ["", "{", "null", "[]", "{}", '{"id":"1"}', '{"id":1.5}'])
      expect(parseHint("a", message, form)).toBeUndefined();
    expect(parseHint("a", '{"id":1,"more":2}', form)).toEqual({ id: 1 });
  });

  test("a subscriber that throws does not affect the others", async () => {
    const end = subscribeToHints("a", () => {
      throw new Error("mine alone");
    });
    const other = listen("a");
    publishHint("a", "still");
    await waitUntil(() => other.heard.length > 0);
    end();
    other.end();
  });
});

describe("over Redis", () => {
  test("instances receive each other's messages, also across a Redis crash, and each its own once", async () => {
    const redis = await startRedis();
    const other = Bun.spawn(
      [process.execPath, `${import.meta.dir}/bus/second-process.fixture.ts`, redis.url],
      {
        stdout: "pipe",
      },
    );
    for await (const _ of other.stdout) break;
    const pong = listen("pong");
    await startBus(redis.url);
    expect(busState()).toBe("connected");
    const ping = listen("ping");
    publishHint("ping", "1");
    await waitUntil(() => pong.heard.length === 1);
    expect([ping.heard, pong.heard]).toEqual([["1"], ["1"]]);

    await redis.kill();
    await waitUntil(() => busState() === "down");
    const began = performance.now();
    for (let i = 0; i < 1000; i++) publishHint("ping", "lost to others");
    expect(performance.now() - began).toBeLessThan(200);
    await waitUntil(() => ping.heard.length === 1001);

    const late = listen("late");
    await redis.restart();
    await waitUntil(() => busState() === "connected");
    for (let tries = 0; pong.heard.length === 1 && tries < 100; tries++) {
      publishHint("ping", "again"); // repeated until the other instance has reconnected as well
      await Bun.sleep(50);
    }
    expect(pong.heard.at(-1)).toBe("again");
    expect(late.heard).toContain("again"); // subscribed while Redis was away
    for (const { end } of [ping, pong, late]) end();
    other.kill();
    await redis.stop();
  });

  test("an unreachable Redis delays the start by three seconds at most, and is connected later", async () => {
    const redis = await startRedis();
    await redis.kill();
    const began = performance.now();
    await startBus(redis.url);
    expect(performance.now() - began).toBeLessThan(3500);
    expect(busState()).toBe("down");
    const topic = listen("a");
    publishHint("a", "alone");
    await waitUntil(() => topic.heard.length === 1);
    await redis.restart();
    await waitUntil(() => busState() === "connected");
    topic.end();
    await redis.stop();
  });
});
