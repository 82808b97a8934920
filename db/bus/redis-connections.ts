import { createClient, createCluster } from "redis";
import { log } from "../log.ts";

type ChannelListener = (text: string, channel: string) => void;

/** A connection to Redis by which channels are told and heard. What is told while it is away is dropped. */
export type RedisLine = {
  /** Settles once it stands; until then it tries for ever. */
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
/** With the socket's time-out: a silent connection is given up after 15 seconds. */
const pingInterval = 5000;
const failFastOptions = { disableOfflineQueue: true, commandsQueueMaxLength: 10_000 };

/** One Redis, a connection for what is told and one for what is heard. */
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
 * A cluster, found by any node of it (Redis 7 or later): a channel is told and heard at the one node that its name falls to
 * (sharded publish and subscribe), instead of at every node. Where a slot goes to another node, the client goes after it.
 */
export function redisCluster(url: string): RedisLine {
  const { protocol, username, password } = new URL(url);
  const cluster = createCluster({
    rootNodes: [{ url }],
    // Nodes tell of each other by address alone: how to enter is the same for all.
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
      // Unlike a single client's, its first try is its last.
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

/** A node that was not needed yet has no connection. */
const isNodeReady = (client: { isReady: boolean } | undefined) => client === undefined || client.isReady;

/** Tells the log once that Redis went, and once that it came back. */
function createOutageReporter() {
  let gone = false;
  return {
    back() {
      if (gone) log().info("bus: Redis is back");
      gone = false;
    },
    away(error: Error) {
      if (!gone) log().error({ err: error }, "bus: Redis is away, hints stay within this instance");
      gone = true;
    },
  };
}

/** 50 ms, doubling to 2 s, each with up to a half of jitter so that instances do not come back all at once. */
export function reconnectDelay(tries: number): number {
  const most = Math.min(2000, 50 * 2 ** Math.min(tries, 10));
  return most / 2 + Math.random() * (most / 2);
}
