import type { Driver } from "./bus/redis-driver.ts";
import { log } from "./log.ts";
import { createTally, registerScrapedGauge } from "./metrics.ts";

type Handler = (message: string) => void;

/** Tells this process's own messages, already delivered here, from those of others. */
const ownProcessId = crypto.randomUUID();
const topicHandlers = new Map<string, Set<Handler>>();
let busDriver: Driver | undefined;

const countPublished = createTally({ name: "bus_published_total", help: "Hints given to the bus here" });
const deliveryMetric = {
  name: "bus_delivered_total",
  help: "Hints that somebody here listens for, by where they were given",
  labels: ["from"],
};
const countDelivered = {
  here: createTally(deliveryMetric, { from: "here" }),
  another: createTally(deliveryMetric, { from: "another" }),
};
registerScrapedGauge(
  { name: "bus_up", help: "1 while hints reach other instances, or need not", keepSeconds: 0 },
  async () => [{ value: busState() === "down" ? 0 : 1 }],
);

/**
 * Connects the bus: to Redis where a URL is given (with `cluster`, to the cluster that this node is of), else within this process only.
 * Waits at most three seconds for Redis; when it is not there yet the bus starts all the same, delivers within this process and joins it later.
 */
export async function startBus(url?: string, cluster = false): Promise<void> {
  await stopBus();
  if (url === undefined) return;
  // A third of all that a server would load, and of no use without Redis.
  const { redisDriver } = await import("./bus/redis-driver.ts");
  busDriver = redisDriver({ url, cluster }, (topic, text) => {
    const [from, message] = [text.slice(0, ownProcessId.length), text.slice(ownProcessId.length)];
    if (from !== ownProcessId) deliverHint(topic, message, "another");
  });
  for (const topic of topicHandlers.keys()) busDriver.listen(topic);
  await busDriver.ready(3000);
}

/** Disconnects from Redis; subscriptions stay and hear this process. */
export async function stopBus(): Promise<void> {
  const stopping = busDriver;
  busDriver = undefined;
  await stopping?.stop();
}

/**
 * Gives a hint to every subscriber of `topic`, on every instance. Never throws and never waits; a hint may be lost (with
 * Redis down it reaches this process alone), so it must only ever say where to look.
 */
export function publishHint(topic: string, message: string): void {
  countPublished();
  queueMicrotask(() => deliverHint(topic, message, "here"));
  busDriver?.publish(topic, ownProcessId + message);
}

/** Hears the hints of `topic` until the function it answers is called. */
export function subscribeToHints(topic: string, handler: Handler): () => void {
  const own: Handler = (message) => handler(message); // the same handler may subscribe twice
  const handlers = topicHandlers.get(topic) ?? new Set();
  if (handlers.size === 0) {
    topicHandlers.set(topic, handlers);
    busDriver?.listen(topic);
  }
  handlers.add(own);
  return () => {
    if (!handlers.delete(own) || handlers.size > 0) return;
    topicHandlers.delete(topic);
    busDriver?.unlisten(topic);
  };
}

/** `local` without Redis; else whether both connections to it stand. */
export function busState(): "local" | "connected" | "down" {
  if (busDriver === undefined) return "local";
  return busDriver.isReady() ? "connected" : "down";
}

function deliverHint(topic: string, message: string, from: "here" | "another"): void {
  const handlers = topicHandlers.get(topic);
  if (handlers === undefined) return;
  countDelivered[from]();
  for (const handler of [...handlers]) {
    try {
      handler(message);
    } catch (error) {
      log().error({ err: error, topic }, "bus: a subscriber failed");
    }
  }
}
