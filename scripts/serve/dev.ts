// `bun run dev`: serves in development mode, and again after every change. The database stays up, its data stay.
import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { Embedded } from "../../db/embedded.ts";
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

/** A change in these is answered by a new start; whether a build is needed first, its sources tell. */
const watchedPaths = ["app", "modules", "db", "locales", "emails", "config", "config.ts", "calls.ts"];
/** An editor saves in several strokes; they are one change. */
const QUIET_MS = 150;

type DevelopmentDatabase = Omit<Embedded, "ownerUrl"> & { ownerUrl: string | undefined };

let serverProcess: ServerProcess | undefined;

/** One database for all the starts to come: the embedded one is kept by this process, not by the server. */
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

/** The server of before answers until all is built; what does not build leaves it running. */
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

/** Calls `changed` after each burst of changes, and again afterwards when more came while it was at work. */
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
