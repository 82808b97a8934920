import type { ZodType } from "zod";
import type { Driver } from "./bus/redis-driver.ts";
import { log } from "./log.ts";
import { createTally, registerScrapedGauge } from "./metrics.ts";

type Handler = (message: string) => void;

/** Distinguishes this process's own messages, which were already delivered here, from those of other processes. */
const ownProcessId = crypto.randomUUID();
const processIdPattern = /^[\da-f-]{36}$/;
const topicHandlers = new Map<string, Set<Handler>>();
let busDriver: Driver | undefined;

const countPublished = createTally({
  name: "bus_published_total",
  help: "Hints that this instance published on the bus",
});
const deliveryMetric = {
  name: "bus_delivered_total",
  help: "Hints delivered to subscribers of this instance, by where they were published",
  labels: ["from"],
};
const countDelivered = {
  here: createTally(deliveryMetric, { from: "here" }),
  another: createTally(deliveryMetric, { from: "another" }),
};
const countRejected = createTally({
  name: "bus_rejected_total",
  help: "Hints dropped because they did not match their topic's schema",
});
registerScrapedGauge(
  {
    name: "bus_up",
    help: "1 while hints reach the other instances, or while there is no Redis",
    keepSeconds: 0,
  },
  async () => [{ value: busState() === "down" ? 0 : 1 }],
);

/**
 * Connects the bus: to Redis if a URL is given (with `cluster`, to the cluster that this node belongs to), otherwise within this process
 * only. Waits at most three seconds for Redis. If Redis is not available by then, the bus starts anyway, delivers within this process and
 * connects later.
 */
export async function startBus(url?: string, cluster = false): Promise<void> {
  await stopBus();
  if (url === undefined) return;
  // Loaded only with Redis: the client is a third of all the code that a server loads.
  const { redisDriver } = await import("./bus/redis-driver.ts");
  busDriver = redisDriver({ url, cluster }, (topic, text) => {
    const [from, message] = [text.slice(0, ownProcessId.length), text.slice(ownProcessId.length)];
    if (!processIdPattern.test(from)) rejectHint(topic);
    else if (from !== ownProcessId) deliverHint(topic, message, "another");
  });
  for (const topic of topicHandlers.keys()) busDriver.listen(topic);
  await busDriver.ready(3000);
}

/** Disconnects from Redis. Subscriptions stay and receive hints of this process. */
export async function stopBus(): Promise<void> {
  const stopping = busDriver;
  busDriver = undefined;
  await stopping?.stop();
}

/**
 * Sends a hint to every subscriber of `topic` on every instance. Never throws and never waits. A hint may be lost (while Redis is down it
 * reaches only this process), so it must only say where to look.
 */
export function publishHint(topic: string, message: string): void {
  countPublished();
  queueMicrotask(() => deliverHint(topic, message, "here"));
  busDriver?.publish(topic, ownProcessId + message);
}

/** Subscribes to the hints of `topic`. Returns a function that unsubscribes. */
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

/** Reads a hint in JSON. One that is not of the form is dropped, with a count and a line in the log: the answer is undefined. */
export function parseHint<T>(topic: string, message: string, form: ZodType<T>): T | undefined {
  try {
    const parsed = form.safeParse(JSON.parse(message));
    if (parsed.success) return parsed.data;
  } catch {} // not even JSON
  rejectHint(topic);
  return undefined;
}

/** Counts and logs a hint that is dropped because nobody can read it. */
export function rejectHint(topic: string): void {
  countRejected();
  log().warn({ topic }, "bus: a hint that does not match its topic's schema was dropped");
}

/** `local` without Redis; otherwise whether both connections to it are open. */
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
