import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import "../../tests/support/environment.ts";
import { startFaultProxy } from "../../tests/support/services/fault-proxy.ts";
import { startRedisCluster, type TestRedisCluster } from "../../tests/support/services/redis-cluster.ts";
import { waitUntil } from "../../tests/support/wait-until.ts";
import { type Driver, redisDriver } from "./redis-driver.ts";

setDefaultTimeout(90_000);

let cluster: TestRedisCluster;
const drivers: Driver[] = [];
const topics = Array.from({ length: 30 }, (_, at) => `room:${at}`);

beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.stop();
});
afterAll(async () => {
  await cluster.stop();
});

/** A driver that is connected, or whose wait timed out, and what it received as "topic text". */
async function driver(url = cluster.url, milliseconds = 10_000): Promise<Driver & { heard: string[] }> {
  const heard: string[] = [];
  const made = redisDriver({ url, cluster: true }, (topic, text) => {
    heard.push(`${topic} ${text}`);
  });
  drivers.push(made);
  await made.ready(milliseconds);
  return { ...made, heard };
}

/** Publishes on every topic until the other driver has received the text on each. */
async function reaches(from: Driver, to: { heard: string[] }, text: string): Promise<void> {
  await waitUntil(async () => {
    const missing = topics.filter((topic) => !to.heard.includes(`${topic} ${text}`));
    for (const topic of missing) from.publish(topic, text);
    if (missing.length > 0) await Bun.sleep(50);
    return missing.length === 0;
  });
}

test("each channel is on one node, and not on its neighbour's", async () => {
  const [here, there] = [await driver(), await driver()];
  for (const topic of topics) here.listen(topic);
  await reaches(there, here, "hello");
  const masters = await cluster.masters();
  expect(masters).toHaveLength(3);
  const listened = await Promise.all(masters.map((port) => cluster.cli(port, "pubsub", "shardchannels")));
  const each = listened.map((channels) => channels.split("\n").filter(Boolean).length);
  expect(each.reduce((sum, count) => sum + count)).toBe(topics.length);
  expect(Math.min(...each)).toBeGreaterThan(0);
  for (const port of masters) expect(await cluster.cli(port, "pubsub", "channels")).toBe("");
});

test("an unsubscribed topic is silent", async () => {
  const [here, there] = [await driver(), await driver()];
  for (const topic of topics) here.listen(topic);
  await reaches(there, here, "hello");
  const [given, kept] = ["room:1", "room:2"];
  here.unlisten(given);
  const port = await cluster.masterOf(`midman:${given}`);
  await waitUntil(
    async () => !(await cluster.cli(port, "pubsub", "shardchannels")).split("\n").includes(`midman:${given}`),
  );
  there.publish(given, "no");
  there.publish(kept, "last");
  await waitUntil(() => here.heard.includes(`${kept} last`));
  expect(here.heard).not.toContain(`${given} no`);
});

test("subscribers follow a slot that moves to another node", async () => {
  const [here, there] = [await driver(), await driver()];
  for (const topic of topics) here.listen(topic);
  await reaches(there, here, "before");
  const channel = "midman:room:3";
  const from = await cluster.masterOf(channel);
  const to = (await cluster.masters()).find((port) => port !== from) ?? 0;
  const slot = await cluster.cli(from, "cluster", "keyslot", channel);
  const [source, target] = [
    await cluster.cli(from, "cluster", "myid"),
    await cluster.cli(to, "cluster", "myid"),
  ];
  await cluster.cli(to, "cluster", "setslot", slot, "importing", source);
  await cluster.cli(from, "cluster", "setslot", slot, "migrating", target);
  for (const port of [to, from]) await cluster.cli(port, "cluster", "setslot", slot, "node", target);
  expect(await cluster.masterOf(channel)).toBe(to);
  await reaches(there, here, "after");
});

test("a dead node is replaced by its replica, and its channels work again", async () => {
  const [here, there] = [await driver(), await driver()];
  for (const topic of topics) here.listen(topic);
  await reaches(there, here, "before");
  const dying = await cluster.masterOf("midman:room:5");
  await cluster.kill(dying);
  await waitUntil(() => !here.isReady());
  await waitUntil(async () => !(await cluster.masters()).includes(dying));
  await reaches(there, here, "after");
  await waitUntil(() => here.isReady());
});

test("an unreachable cluster delays nothing, and is connected later", async () => {
  const line = await startFaultProxy(cluster.url);
  await line.refuse();
  const [late, there] = [await driver(line.url, 300), await driver()];
  expect(late.isReady()).toBe(false);
  for (const topic of topics) late.listen(topic);
  late.publish("room:1", "to nobody");
  await line.mend();
  await reaches(there, late, "hello");
  expect(late.isReady()).toBe(true);
  await line.close();
});
