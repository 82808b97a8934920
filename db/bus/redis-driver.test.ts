import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import "../../tests/support/environment.ts";
import { type FaultProxy, startFaultProxy } from "../../tests/support/services/fault-proxy.ts";
import { startRedis, type TestRedis } from "../../tests/support/services/redis.ts";
import { waitUntil } from "../../tests/support/wait-until.ts";
import { type Driver, redisDriver } from "./redis-driver.ts";

setDefaultTimeout(60_000);

let redis: TestRedis;
let line: FaultProxy;
const drivers: Driver[] = [];

beforeAll(async () => {
  redis = await startRedis();
  line = await startFaultProxy(redis.url);
});
afterEach(async () => {
  await line.mend();
  for (const driver of drivers.splice(0)) await driver.stop();
});
afterAll(async () => {
  await line.close();
  await redis.stop();
});

/** A connected driver, and what it received as "topic text". */
async function driver(url: string): Promise<Driver & { heard: string[] }> {
  const heard: string[] = [];
  const made = redisDriver({ url, cluster: false }, (topic, text) => void heard.push(`${topic} ${text}`));
  drivers.push(made);
  await made.ready(5000);
  return { ...made, heard };
}

/** Lets requests through, loses the next reply together with its connection, and waits until the driver has reconnected. */
async function losing(spoilt: Driver, request: () => void): Promise<void> {
  line.behave({ loseReplies: true });
  request();
  await waitUntil(() => !spoilt.isReady());
  line.behave({});
  await waitUntil(() => spoilt.isReady());
}

test("a topic whose SUBSCRIBE was lost with the connection works once it is back", async () => {
  const [here, there] = [await driver(line.url), await driver(redis.url)];
  await losing(here, () => here.listen("lost"));
  await waitUntil(() => {
    there.publish("lost", "at last");
    return here.heard.includes("lost at last");
  });
});

test("a topic unsubscribed meanwhile is not subscribed again", async () => {
  const [here, there] = [await driver(line.url), await driver(redis.url)];
  here.listen("kept");
  await losing(here, () => {
    here.listen("given up");
    here.unlisten("given up");
    here.listen("wanted");
  });
  await waitUntil(() => {
    there.publish("wanted", "yes");
    there.publish("kept", "yes");
    return here.heard.includes("wanted yes") && here.heard.includes("kept yes");
  });
  there.publish("given up", "no");
  there.publish("wanted", "last");
  await waitUntil(() => here.heard.includes("wanted last"));
  expect(here.heard).not.toContain("given up no");
});

test("a topic unsubscribed while the connection was lost is silent, and works when subscribed again", async () => {
  const [here, there] = [await driver(line.url), await driver(redis.url)];
  here.listen("again");
  here.listen("mark");
  await waitUntil(() => {
    there.publish("again", "first");
    there.publish("mark", "first");
    return here.heard.includes("again first") && here.heard.includes("mark first");
  });
  await losing(here, () => here.unlisten("again"));
  for (let round = 0; ; round++) {
    there.publish("again", `unwanted ${round}`);
    there.publish("mark", `${round}`);
    await waitUntil(() => here.heard.includes(`mark ${round}`));
    if (!here.heard.includes(`again unwanted ${round}`)) break;
    expect(round).toBeLessThan(200);
    await Bun.sleep(25);
  }
  here.listen("again");
  await waitUntil(() => {
    there.publish("again", "wanted");
    return here.heard.includes("again wanted");
  });
});
