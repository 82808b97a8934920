import { openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applicationUrl, roleOf } from "../../../db/access/application-role.ts";
import { ROLE } from "../../../db/embedded/cluster.ts";
import { freshDatabase } from "../database/test-database.ts";
import { agreeForAdministrators } from "../people/consents.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { type Client, createHttpClient } from "./http-client.ts";

export const repositoryRoot = join(import.meta.dir, "..", "..", "..");

export const testAdministrator = { username: "admin", password: "the one who pays out" } as const;

/** What instances that are joined must be given. */
export const sharedSecrets = { SESSION_SECRET: "ab".repeat(32), ENCRYPTION_KEY: "cd".repeat(32) };

/** What a real provider needs beside it: mail that leaves, addresses, a number and an operator that are no examples. Nobody listens there. */
export const mailSettings = {
  SMTP_URL: "smtp://127.0.0.1:9",
  ADMIN_EMAIL: "bold@midman.mn",
  MAIL_FROM: "Midman <no-reply@midman.mn>",
  MAIL_ADMIN: "money@midman.mn",
  MAIL_TRANSACTIONS: "trades@midman.mn",
  MAIL_ACCOUNTS: "accounts@midman.mn",
  SUPPORT_EMAIL: "help@midman.mn",
  SUPPORT_PHONE: "+976 7711 2233",
  OPERATOR_NAME: "Midman LLC",
  OPERATOR_REGISTRATION: "6123456",
  OPERATOR_ADDRESS: "12 Peace Avenue, Ulaanbaatar",
} as const;

/** One running server process of its own. */
export type Server = {
  url: string;
  port: number;
  pid: number;
  /** The owner's address. */
  databaseUrl: string;
  dataDir: string;
  /** What it printed so far. */
  output(): string;
  /** Says something to a program that listens (`ServerOptions.hear`). */
  tell(message: unknown): void;
  /** A browser or program of its own against this server. */
  client(headers?: Record<string, string>): Client;
  /** Ends it at once, as a power cut would (SIGKILL), and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to end, and waits until it is gone. */
  stop(): Promise<void>;
  /** The status it ended with; null while it runs, and when a signal ended it. */
  status(): number | null;
};

export type ServerOptions = {
  /** A migrated or empty database; without one the server gets a fresh one, dropped when it stops. */
  databaseUrl?: string;
  dataDir?: string;
  redisUrl?: string;
  port?: number;
  environment?: Record<string, string>;
  /** What is run; `app/server.ts`, or a program that puts something in its way and then imports it. */
  program?: string;
  /** What it is run under: a command that ends in running the rest of its arguments, as the same process. */
  under?: readonly string[];
  /** Opens a channel to the program, and takes what it says. */
  hear?: (message: unknown) => void;
};

const runningServers = new Set<Bun.Subprocess>();

// No server outlives who started it, however that ends.
process.on("exit", () => {
  for (const child of runningServers) child.kill("SIGKILL");
});

/** Starts `app/server.ts` in production mode with the sandbox provider, and waits until it says it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  await ensureBuilt(repositoryRoot);
  const fresh = options.databaseUrl === undefined ? await freshDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? fresh?.url ?? "";
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "midman-server-")));
  const port = options.port ?? (await freePort());
  const log = join(dataDir, `server-${port}.log`);
  const program = [process.execPath, options.program ?? "app/server.ts"];
  const child = Bun.spawn([...(options.under ?? []), ...program], {
    cwd: repositoryRoot,
    env: {
      ...serverEnvironment(port, databaseUrl, dataDir, options.redisUrl),
      ...(options.environment?.QPAY_BASE_URL !== undefined && mailSettings),
      ...options.environment,
    },
    stdin: "ignore",
    stdout: openSync(log, "a"),
    stderr: openSync(log, "a"),
    ...(options.hear && { ipc: options.hear }),
  });
  runningServers.add(child);
  void child.exited.then(() => runningServers.delete(child));
  const output = () => readFileSync(log, "utf8");
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    child.kill(signal);
    await child.exited;
  };
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, () => child.exitCode !== null || child.signalCode !== null, output).catch(
    async (error) => {
      await end("SIGKILL");
      throw error;
    },
  );
  if (URL.canParse(databaseUrl) && !options.environment?.MAINTENANCE)
    await agreeForAdministrators(databaseUrl);
  return {
    url,
    port,
    pid: child.pid,
    databaseUrl,
    dataDir,
    output,
    tell: (message) => child.send(message),
    client: (headers) => createHttpClient(url, headers),
    kill: () => end("SIGKILL"),
    status: () => child.exitCode,
    stop: async () => {
      await end("SIGTERM");
      await fresh?.drop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts several instances on one database (and one Redis), with the same secrets. */
export async function startServers(count: number, options: ServerOptions = {}): Promise<Server[]> {
  const first = await startServer(options);
  const shared = { ...options, databaseUrl: first.databaseUrl, dataDir: first.dataDir, port: undefined };
  const others = await Promise.all(Array.from({ length: count - 1 }, () => startServer(shared)));
  return [...others, first];
}

/** Starts a killed server again on its database, its data and its port; to stop the new one also removes what the first one was given. */
export async function startAgain(killed: Server): Promise<Server> {
  const { databaseUrl, dataDir, port } = killed;
  const again = await startServer({ databaseUrl, dataDir, port });
  return { ...again, stop: () => again.stop().then(killed.stop) };
}

/** What a server of tests is told of where it runs and of its settings. */
export function serverEnvironment(port: number, databaseUrl: string, dataDir: string, redisUrl?: string) {
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...databaseSettings(databaseUrl),
    DATA_DIR: dataDir,
    // Servers on one database have one key, in whatever DATA_DIR; an embedded one makes its own there.
    ...(databaseUrl !== "embedded" && { ENCRYPTION_KEY: sharedSecrets.ENCRYPTION_KEY }),
    ALLOW_SANDBOX: "true",
    THROTTLE_FACTOR: "100000",
    ADMIN_USERNAME: testAdministrator.username,
    ADMIN_PASSWORD: testAdministrator.password,
    LOG_LEVEL: "warn",
    // Behind a proxy the default is five seconds at every end; who looks at that asks for it.
    DRAIN_SECONDS: "0",
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl, ...sharedSecrets }),
  };
}

/** Both roles' addresses, from that of a cluster's owner; any other address stands alone. */
export function databaseSettings(ownerUrl: string): Record<string, string> {
  const given = process.env.TEST_DATABASE_URL;
  const owners = [ROLE, ...(given ? [roleOf(given)] : [])];
  if (!URL.canParse(ownerUrl) || !owners.includes(roleOf(ownerUrl))) return { DATABASE_URL: ownerUrl };
  return { DATABASE_URL: applicationUrl(ownerUrl), DATABASE_OWNER_URL: ownerUrl };
}

/** Waits until a server says it is ready. */
export async function untilReady(url: string, ended: () => boolean, output: () => string): Promise<void> {
  for (const from = Date.now(); Date.now() - from < 60_000; ) {
    if (ended()) throw new Error(`The server ended at its start:\n${output()}`);
    const ready = await fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ready) return;
    await Bun.sleep(50);
  }
  throw new Error(`The server was not ready within a minute:\n${output()}`);
}

/** A port of loopback that nobody listens on just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
