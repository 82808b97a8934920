import { oneRedis, reconnectDelay, redisCluster } from "./redis-connections.ts";

/** Carries hints between instances. */
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
 * Redis publish and subscribe. Reconnects without end (at most 2 seconds between attempts) and then subscribes again, also to what was
 * requested as the connection was lost. Messages published meanwhile are dropped.
 */
export function redisDriver(
  { url, cluster }: { url: string; cluster: boolean },
  heard: (topic: string, text: string) => void,
): Driver {
  const line = cluster ? redisCluster(url) : oneRedis(url);
  const hear = (text: string, channel: string) => heard(channel.slice(PREFIX.length), text);
  // A dropped hint is not an error: `seq` repairs it.
  const drop = () => {};
  const wanted = new Set<string>();
  let ended = false;
  /**
   * Tells Redis whether a topic is wanted. The client forgets a request whose connection was lost before the reply, so it is repeated here.
   */
  const tell = (topic: string, tries = 0): void => {
    const channel = PREFIX + topic;
    const told = wanted.has(topic) ? line.subscribe(channel, hear) : line.unsubscribe(channel, hear);
    told.catch(() => {
      if (!ended) setTimeout(() => tell(topic, tries + 1), reconnectDelay(tries)).unref();
    });
  };
  const connected = line.connect();
  connected.catch(drop);
  return {
    async ready(milliseconds) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => late.resolve(), milliseconds);
      await Promise.race([connected, late.promise]).catch(drop);
      clearTimeout(timer);
    },
    isReady: line.isReady,
    publish: (topic, text) => {
      line.publish(PREFIX + topic, text).catch(drop);
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
      ended = true;
      line.destroy();
    },
  };
}
