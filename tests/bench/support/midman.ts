import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshDatabase } from "../../support/database/test-database.ts";
import { ensureBuilt } from "../../support/server/ensure-built.ts";
import { createHttpClient } from "../../support/server/http-client.ts";
import { databaseSettings, freePort, sharedSecrets } from "../../support/server/midman-server.ts";
import { answering, type Pinned, pinned } from "./process.ts";

/** The project's folder. */
export const root = join(import.meta.dir, "..", "..", "..");

/** Core of the measured servers, and core of all that loads them. */
export const cores = { server: 0, load: 1 } as const;

export type Midman = Pinned & {
  url: string;
  databaseUrl: string;
  environment: Record<string, string>;
  client: () => ReturnType<typeof createHttpClient>;
};

/**
 * Starts Midman on the server's core: `app/server.ts`, or a program that imports it, on a real Postgres and throttled so
 * little that no bench notices. Without a database given it gets a fresh one, dropped when it ends.
 */
export async function startMidman(
  options: { program?: string; databaseUrl?: string; redisUrl?: string } = {},
): Promise<Midman> {
  await ensureBuilt(root);
  const fresh = options.databaseUrl === undefined ? await freshDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? fresh?.url ?? "";
  const folder = mkdtempSync(join(tmpdir(), "midman-bench-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: url,
    ...databaseSettings(databaseUrl),
    DATA_DIR: folder,
    ALLOW_SANDBOX: "true",
    THROTTLE_FACTOR: "1000000",
    LOG_LEVEL: "error",
    ...(options.redisUrl === undefined ? {} : { REDIS_URL: options.redisUrl, ...sharedSecrets }),
  };
  const program = options.program ?? "app/server.ts";
  const server = pinned(cores.server, [process.execPath, program], { cwd: root, env: environment });
  const end = async () => {
    await server.end();
    await fresh?.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  await answering(`${url}/readyz`);
  return {
    ...server,
    url,
    databaseUrl,
    environment,
    client: () => createHttpClient(url),
    end,
    [Symbol.asyncDispose]: end,
  };
}
