// `npx bun run up`: installs, builds, migrates and serves, from a bare clone on. Imports nothing from node_modules.
import { join } from "node:path";
import { cannotListen } from "../app/port.ts";
import { ownerOf } from "../db/embedded/owner.ts";
import { watchLauncher } from "./ancestors.ts";
import { ensureBuilt, ensureInstalled, Obstacle, orEnd, requireBun } from "./prepare.ts";
import { serve } from "./serve.ts";

/** Without a payment provider this is a trial: the sandbox stands in for one, and every page says so. */
function settings(): Record<string, string> {
  const provider = Object.entries(process.env).some(
    ([name, value]) => name.startsWith("QPAY_") && value !== "",
  );
  const said = (process.env.ALLOW_SANDBOX ?? "") !== "";
  return { NODE_ENV: "production", ...(provider || said ? {} : { ALLOW_SANDBOX: "true" }) };
}

/** How long a server whose launcher was killed may keep the port: its own time to shut down in order. */
const PREDECESSOR_MS = 30_000;

/** Stops here for a bad setting or a port that is taken, one line each, before anything is built or started. */
async function checkSettings(given: Record<string, string>): Promise<void> {
  const { readConfig } = await import("../config.ts");
  const read = readConfig({ ...process.env, ...given });
  if (!read.ok) throw new Obstacle(`Midman cannot start.\n${read.lines.join("\n")}`);
  const { PORT: port, HOST: hostname, DATA_DIR: data } = read.config;
  const taken = await takenFor({ port, hostname }, join(data, "database.json"));
  if (taken !== undefined) throw new Obstacle(`Midman cannot start.\n${taken}`);
}

/** Answers as `cannotListen`, but first waits for the server that `note` names as the one on these data to let go of the port. */
async function takenFor(at: { port: number; hostname: string }, note: string): Promise<string | undefined> {
  const patience = Date.now() + PREDECESSOR_MS;
  for (;;) {
    const taken = cannotListen(at);
    if (taken === undefined || ownerOf(note) === undefined || Date.now() > patience) return taken;
    await Bun.sleep(100);
  }
}

/** Runs the server until it ends, and ends as it did. */
async function run(given: Record<string, string>): Promise<void> {
  const server = serve(given);
  let asked = 0;
  const stop = () => {
    // Ctrl-C comes twice at once, from the terminal and from `bun run`; a second later somebody means it.
    if (asked !== 0 && Date.now() - asked > 1000) server.kill();
    asked ||= Date.now();
    server.stop();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  watchLauncher(server.stop);
  process.exit(await server.exited);
}

await orEnd(async () => {
  requireBun();
  await ensureInstalled();
  const given = settings();
  await checkSettings(given);
  await ensureBuilt();
  await run(given);
});
