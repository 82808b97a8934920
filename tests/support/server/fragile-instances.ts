import { type DurablePostgres, startDurablePostgres } from "../database/durable-postgres.ts";
import { type FaultProxy, startFaultProxy } from "../services/fault-proxy.ts";
import { startRedis, type TestRedis } from "../services/redis.ts";
import { type Server, type ServerOptions, startServer, startServers } from "./midman-server.ts";

/** Two instances on one durable Postgres and one Redis, with a line that can be spoiled before each of them. */
export type FragileInstances = {
  postgres: DurablePostgres;
  redis: TestRedis;
  /** Between the instances and Postgres, and between them and Redis. */
  lines: { database: FaultProxy; bus: FaultProxy };
  /** Between clients and each instance. */
  doors: FaultProxy[];
  servers: Server[];
  /** Kills an instance (SIGKILL) and starts it again at the same address, as a supervisor would, until it stays up. */
  reborn(which: number, downMs?: number): Promise<void>;
  close(): Promise<void>;
};

/** Starts all of it. `options` are of both instances. */
export async function startFragileInstances(
  options: Omit<ServerOptions, "port" | "dataDir"> = {},
): Promise<FragileInstances> {
  const [postgres, redis] = await Promise.all([startDurablePostgres(), startRedis()]);
  const lines = { database: await startFaultProxy(postgres.url), bus: await startFaultProxy(redis.url) };
  const shared = { ...options, databaseUrl: lines.database.url, redisUrl: lines.bus.url };
  const servers = await startServers(2, shared);
  const doors = await Promise.all(servers.map(({ url }) => startFaultProxy(`${url}/`)));
  let closing = false;
  const starting = new Set<Promise<void>>();
  const again = async (which: number, downMs: number) => {
    const server = servers[which];
    if (server === undefined) throw new Error(`there is no instance ${which}`);
    await server.kill();
    await Bun.sleep(downMs);
    const { port, dataDir } = server;
    for (let tries = 0; !closing; tries++) {
      const started = await startServer({ ...shared, port, dataDir }).catch((error: Error) => error);
      if (!(started instanceof Error)) {
        servers[which] = started;
        return;
      }
      if (tries > 20) throw started;
      await Bun.sleep(100);
    }
  };
  const reborn = (which: number, downMs = 0) => {
    const start = again(which, downMs);
    const settled: Promise<void> = start.catch(() => {}).finally(() => starting.delete(settled));
    starting.add(settled);
    return start;
  };
  return {
    postgres,
    redis,
    lines,
    doors,
    servers,
    reborn,
    close: async () => {
      closing = true;
      await Promise.all(starting);
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all([...doors, lines.database, lines.bus].map((line) => line.close()));
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}
