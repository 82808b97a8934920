// `bun run dev`: serves in development mode, and again after every change. The database stays up, its data stay.
import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { Embedded } from "../db/embedded.ts";
import { watchLauncher } from "./ancestors.ts";
import { ensureBuilt, ensureInstalled, Obstacle, orEnd, requireBun, root } from "./prepare.ts";
import { type Served, serve } from "./serve.ts";

/** A change in these is answered by a new start; whether a build is needed first, its sources tell. */
const watched = ["app", "modules", "db", "locales", "emails", "config", "config.ts", "calls.ts"];
/** An editor saves in several strokes; they are one change. */
const QUIET_MS = 150;

type Opened = Omit<Embedded, "ownerUrl"> & { ownerUrl: string | undefined };

let server: Served | undefined;

/** One database for all the starts to come: the embedded one is kept by this process, not by the server. */
async function openDatabase(): Promise<Opened> {
  process.env.ALLOW_SANDBOX ??= "true";
  const { readConfig } = await import("../config.ts");
  const read = readConfig(process.env);
  if (!read.ok) throw new Obstacle(`Midman cannot start.\n${read.lines.join("\n")}`);
  const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } = read.config;
  if (url !== undefined) return { url, ownerUrl, stop: async () => {} };
  const { startEmbedded } = await import("../db/embedded.ts");
  return startEmbedded({ exclusive: true });
}

/** The server of before answers until all is built; what does not build leaves it running. */
async function restart({ url, ownerUrl }: Opened): Promise<void> {
  await ensureBuilt();
  await stop();
  server = serve({ NODE_ENV: "development", DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl ?? "" });
}

async function stop(): Promise<void> {
  server?.stop();
  await server?.exited;
  server = undefined;
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
  return watched.map((path) => watch(join(root, path), { recursive: true }, soon));
}

await orEnd(async () => {
  requireBun();
  await ensureInstalled();
  const database = await openDatabase();
  const end = async (): Promise<void> => {
    await stop();
    await database.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  watchLauncher(end);
  await restart(database);
  onChange(() => restart(database));
});
