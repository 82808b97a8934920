import type { Driver } from "./bus/redis.ts";
import { log } from "./log.ts";

type Handler = (message: string) => void;

/** Tells this process's own messages, already delivered here, from those of others. */
const self = crypto.randomUUID();
const topics = new Map<string, Set<Handler>>();
let driver: Driver | undefined;

/**
 * Connects the bus: to Redis where a URL is given, else within this process only. Waits at most three seconds for
 * Redis; when it is not there yet the bus starts all the same, delivers within this process and joins it later.
 */
export async function startBus(url?: string): Promise<void> {
  await stopBus();
  if (url === undefined) return;
  // A third of all that a server would load, and of no use without Redis.
  const { redisDriver } = await import("./bus/redis.ts");
  driver = redisDriver(url, (topic, text) => {
    const [from, message] = [text.slice(0, self.length), text.slice(self.length)];
    if (from !== self) deliver(topic, message);
  });
  for (const topic of topics.keys()) driver.listen(topic);
  await driver.ready(3000);
}

/** Disconnects from Redis; subscriptions stay and hear this process. */
export async function stopBus(): Promise<void> {
  const stopping = driver;
  driver = undefined;
  await stopping?.stop();
}

/**
 * Gives a hint to every subscriber of `topic`, on every instance. Never throws and never waits; a hint may be lost (with
 * Redis down it reaches this process alone), so it must only ever say where to look.
 */
export function publish(topic: string, message: string): void {
  queueMicrotask(() => deliver(topic, message));
  driver?.publish(topic, self + message);
}

/** Hears the hints of `topic` until the function it answers is called. */
export function subscribe(topic: string, handler: Handler): () => void {
  const own: Handler = (message) => handler(message); // the same handler may subscribe twice
  const handlers = topics.get(topic) ?? new Set();
  if (handlers.size === 0) {
    topics.set(topic, handlers);
    driver?.listen(topic);
  }
  handlers.add(own);
  return () => {
    if (!handlers.delete(own) || handlers.size > 0) return;
    topics.delete(topic);
    driver?.unlisten(topic);
  };
}

/** `local` without Redis; else whether both connections to it stand. */
export function busState(): "local" | "connected" | "down" {
  if (driver === undefined) return "local";
  return driver.isReady() ? "connected" : "down";
}

function deliver(topic: string, message: string): void {
  for (const handler of [...(topics.get(topic) ?? [])]) {
    try {
      handler(message);
    } catch (error) {
      log().error({ err: error, topic }, "bus: a subscriber failed");
    }
  }
}
