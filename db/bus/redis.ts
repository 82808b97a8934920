import { createClient } from "redis";
import { log } from "../log.ts";

/** What carries hints between instances. */
export type Driver = {
  ready(milliseconds: number): Promise<void>;
  isReady(): boolean;
  publish(topic: string, text: string): void;
  listen(topic: string): void;
  unlisten(topic: string): void;
  stop(): Promise<void>;
};

const PREFIX = "midman:";

/**
 * Redis publish and subscribe, over a connection each. It reconnects for ever (at most 2 seconds between tries) and then
 * subscribes anew, also to what was asked for as the connection went. While it is away what is published is dropped at once
 * and not kept.
 */
export function redisDriver(url: string, heard: (topic: string, text: string) => void): Driver {
  const publisher = open(url, true);
  const subscriber = open(url, false);
  const hear = (text: string, channel: string) => heard(channel.slice(PREFIX.length), text);
  // A dropped hint is not an error: `seq` repairs it.
  const drop = () => {};
  const wanted = new Set<string>();
  /** Tells Redis whether a topic is wanted. What went with its connection unanswered the client forgets: it is told again. */
  const tell = (topic: string, tries = 0): void => {
    const channel = PREFIX + topic;
    const told = wanted.has(topic)
      ? subscriber.subscribe(channel, hear)
      : subscriber.unsubscribe(channel, hear);
    told.catch(() => {
      if (subscriber.isOpen) setTimeout(() => tell(topic, tries + 1), pause(tries)).unref();
    });
  };
  const connected = Promise.all([publisher.connect(), subscriber.connect()]);
  connected.catch(drop);
  return {
    async ready(milliseconds) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => late.resolve(), milliseconds);
      await Promise.race([connected, late.promise]).catch(drop);
      clearTimeout(timer);
    },
    isReady: () => publisher.isReady && subscriber.isReady,
    publish: (topic, text) => {
      if (publisher.isReady) publisher.publish(PREFIX + topic, text).catch(drop);
    },
    listen: (topic) => {
      wanted.add(topic);
      tell(topic);
    },
    unlisten: (topic) => {
      wanted.delete(topic);
      tell(topic);
    },
    async stop() {
      for (const client of [publisher, subscriber]) if (client.isOpen) client.destroy();
    },
  };
}

function open(url: string, failFast: boolean) {
  const client = createClient({
    url,
    disableOfflineQueue: failFast,
    commandsQueueMaxLength: failFast ? 10_000 : undefined,
    pingInterval: 5000, // with the next line: a silent connection is given up after 15 seconds
    socket: { connectTimeout: 2000, socketTimeout: 15_000, reconnectStrategy: (tries) => pause(tries) },
  });
  let away = false;
  client.on("ready", () => {
    if (away) log().info("bus: Redis is back");
    away = false;
  });
  client.on("error", (error: Error) => {
    if (!away) log().error({ err: error }, "bus: Redis is away, hints stay within this instance");
    away = true;
  });
  return client;
}

/** 50 ms, doubling to 2 s, each with up to a half of jitter so that instances do not come back all at once. */
function pause(tries: number): number {
  const most = Math.min(2000, 50 * 2 ** Math.min(tries, 10));
  return most / 2 + Math.random() * (most / 2);
}
