// `bun run dev`: serves in development mode and restarts after every change. The database keeps running and keeps its data.
import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { EmbeddedServer } from "../../db/embedded.ts";
import {
  ensureBuilt,
  ensureInstalled,
  exitOnObstacle,
  Obstacle,
  projectRoot,
  requireBun,
} from "../prepare.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { watchLauncher } from "./watch-launcher.ts";

/** A change in these restarts the server; `ensureBuilt` decides whether to build first. */
const watchedPaths = ["app", "modules", "db", "locales", "emails", "config", "config.ts", "calls.ts"];
/** An editor writes several times per save; changes within this time (ms) are one. */
const QUIET_MS = 150;

type DevelopmentDatabase = Omit<EmbeddedServer, "ownerUrl"> & { ownerUrl: string | undefined };

let serverProcess: ServerProcess | undefined;

/** Opens one database for all restarts: this process runs the embedded one, not the server. */
async function openDatabase(): Promise<DevelopmentDatabase> {
  process.env.ALLOW_SANDBOX ??= "true";
  const { readConfig } = await import("../../config.ts");
  const read = readConfig(process.env);
  if (!read.ok) throw new Obstacle(`Midman cannot start.\n${read.lines.join("\n")}`);
  const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } = read.config;
  if (url !== undefined) return { url, ownerUrl, stop: async () => {} };
  const { startEmbedded } = await import("../../db/embedded.ts");
  return startEmbedded({ exclusive: true });
}

/** Restarts the server. The previous one serves until the build is ready; a failed build leaves it running. */
async function restartServer({ url, ownerUrl }: DevelopmentDatabase): Promise<void> {
  await ensureBuilt();
  await stopServer();
  serverProcess = startServerProcess({
    NODE_ENV: "development",
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl ?? "",
  });
}

async function stopServer(): Promise<void> {
  serverProcess?.stop();
  await serverProcess?.exited;
  serverProcess = undefined;
}

/** Calls `changed` after each burst of changes, and again if more arrived while it was running. */
function onChange(changed: () => Promise<void>): FSWatcher[] {
  let timer: Timer | undefined;
  let work = Promise.resolve();
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work
        .then(changed)
        .catch((error) => console.error(error instanceof Obstacle ? error.message : error));
    }, QUIET_MS);
  };
  return watchedPaths.map((path) => watch(join(projectRoot, path), { recursive: true }, soon));
}

await exitOnObstacle(async () => {
  requireBun();
  await ensureInstalled();
  const database = await openDatabase();
  const end = async (): Promise<void> => {
    await stopServer();
    await database.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  watchLauncher(end);
  await restartServer(database);
  onChange(() => restartServer(database));
});
