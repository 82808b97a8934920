import { createClient, createCluster } from "redis";
import { log } from "../log.ts";

type ChannelListener = (text: string, channel: string) => void;

/** A connection to Redis that publishes to and subscribes to channels. While it is down, published texts are dropped. */
export type RedisLine = {
  /** Resolves once connected; retries without end until then. */
  connect(): Promise<unknown>;
  isReady(): boolean;
  publish(channel: string, text: string): Promise<unknown>;
  subscribe(channel: string, hear: ChannelListener): Promise<unknown>;
  unsubscribe(channel: string, hear: ChannelListener): Promise<unknown>;
  destroy(): void;
};

const socketOptions = {
  connectTimeout: 2000,
  socketTimeout: 15_000,
  reconnectStrategy: (tries: number) => reconnectDelay(tries),
};
const droppedHint = Promise.resolve();
/** Together with the socket's timeout this closes a silent connection after 15 seconds. */
const pingInterval = 5000;
const failFastOptions = { disableOfflineQueue: true, commandsQueueMaxLength: 10_000 };

/** A single Redis, with one connection for publishing and one for subscribing. */
export function oneRedis(url: string): RedisLine {
  const open = (options: object) => createClient({ url, pingInterval, socket: socketOptions, ...options });
  const [publisher, subscriber] = [open(failFastOptions), open({})];
  for (const client of [publisher, subscriber]) {
    const told = createOutageReporter();
    client.on("ready", told.back);
    client.on("error", told.away);
  }
  return {
    connect: () => Promise.all([publisher.connect(), subscriber.connect()]),
    isReady: () => publisher.isReady && subscriber.isReady,
    publish: (channel, text) => (publisher.isReady ? publisher.publish(channel, text) : droppedHint),
    subscribe: (channel, hear) => subscriber.subscribe(channel, hear),
    unsubscribe: (channel, hear) => subscriber.unsubscribe(channel, hear),
    destroy() {
      for (const client of [publisher, subscriber]) if (client.isOpen) client.destroy();
    },
  };
}

/**
 * A cluster, found through any of its nodes (Redis 7 or later). Sharded publish and subscribe uses only the node that a channel's name maps
 * to, instead of every node. If a slot moves to another node, the client follows it.
 */
export function redisCluster(url: string): RedisLine {
  const { protocol, username, password } = new URL(url);
  const cluster = createCluster({
    rootNodes: [{ url }],
    // Nodes announce each other by address alone, so all share the same credentials.
    defaults: {
      ...(username === "" ? {} : { username: decodeURIComponent(username) }),
      ...(password === "" ? {} : { password: decodeURIComponent(password) }),
      ...{ pingInterval, ...failFastOptions },
      socket: protocol === "rediss:" ? { ...socketOptions, tls: true } : socketOptions,
    },
    topologyRefreshOnReconnectionAttemptStrategy: 1000,
  });
  const told = createOutageReporter();
  const isReady = () =>
    cluster.isReady &&
    cluster.masters.every(({ client, pubSub }) => isNodeReady(client) && isNodeReady(pubSub?.client));
  cluster.on("node-ready", () => isReady() && told.back());
  for (const event of ["node-error", "error"]) cluster.on(event, told.away);
  let ended = false;
  return {
    async connect() {
      // Unlike the client of a single Redis, this one does not retry its first connection.
      for (let tries = 0; !ended && !cluster.isReady; tries++) {
        await cluster.connect().catch(() => Bun.sleep(reconnectDelay(tries)));
      }
    },
    isReady,
    publish: (channel, text) => (cluster.isReady ? cluster.sPublish(channel, text) : droppedHint),
    subscribe: (channel, hear) => cluster.sSubscribe(channel, hear),
    unsubscribe: (channel, hear) => cluster.sUnsubscribe(channel, hear),
    destroy() {
      ended = true;
      if (cluster.isOpen) cluster.destroy();
    },
  };
}

/** True also for a node that has no connection because it was not needed yet. */
const isNodeReady = (client: { isReady: boolean } | undefined) => client === undefined || client.isReady;

/** Logs once that Redis was lost, and once that it came back. */
function createOutageReporter() {
  let gone = false;
  return {
    back() {
      if (gone) log().info("bus: Redis is reachable again");
      gone = false;
    },
    away(error: Error) {
      if (!gone) log().error({ err: error }, "bus: Redis is unreachable, hints stay within this instance");
      gone = true;
    },
  };
}

/** Delay in ms: 50, doubling to 2,000, up to half of it random so that instances do not all reconnect at once. */
export function reconnectDelay(tries: number): number {
  const most = Math.min(2000, 50 * 2 ** Math.min(tries, 10));
  return most / 2 + Math.random() * (most / 2);
}
