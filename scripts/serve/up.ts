// `npx bun run up`: installs, builds, migrates and serves, starting from a bare clone. Imports nothing from node_modules.
import { join } from "node:path";
import { findListenProblem } from "../../app/server/startup/listening-port.ts";
import { printLine } from "../../config/console-line.ts";
import { ownerOf } from "../../db/embedded/server-owner.ts";
import { ensureBuilt, ensureInstalled, exitOnObstacle, Obstacle, requireBun } from "../prepare.ts";
import { startServerProcess } from "./server-process.ts";
import { watchLauncher } from "./watch-launcher.ts";

/** Without a payment provider this is a trial: the sandbox takes its place, and every page says so. */
function trialSettings(): Record<string, string> {
  const provider = Object.entries(process.env).some(
    ([name, value]) => name.startsWith("QPAY_") && value !== "",
  );
  const said = (process.env.ALLOW_SANDBOX ?? "") !== "";
  return { NODE_ENV: "production", ...(provider || said ? {} : { ALLOW_SANDBOX: "true" }) };
}

/** How long, in ms, to wait until a server whose launcher was killed has shut down and freed the port. */
const PORT_WAIT_MS = 30_000;

/** Ends the start on an invalid setting or an occupied port, one line each, before anything is built or started. */
async function checkSettings(given: Record<string, string>): Promise<void> {
  const { readConfig } = await import("../../config.ts");
  const read = readConfig({ ...process.env, ...given });
  if (!read.ok) throw new Obstacle(`Midman cannot start.\n${read.lines.join("\n")}`);
  const { PORT: port, HOST: hostname, DATA_DIR: data } = read.config;
  const taken = await waitForPort({ port, hostname }, join(data, "database.json"));
  if (taken !== undefined) throw new Obstacle(`Midman cannot start.\n${taken}`);
}

/** Like `findListenProblem`, but first waits while the server named in `ownerFile` still runs on this DATA_DIR. */
async function waitForPort(
  at: { port: number; hostname: string },
  ownerFile: string,
): Promise<string | undefined> {
  const deadline = Date.now() + PORT_WAIT_MS;
  for (let isTold = false; ; isTold = true) {
    const taken = findListenProblem(at);
    if (taken === undefined || ownerOf(ownerFile) === undefined || Date.now() > deadline) return taken;
    if (!isTold)
      printLine("A server still runs on this DATA_DIR and port; waiting up to 30 s for it to stop …");
    await Bun.sleep(100);
  }
}

/** Runs the server until it ends, and exits with its status. */
async function runServer(given: Record<string, string>): Promise<void> {
  const server = startServerProcess(given);
  let asked = 0;
  const stop = () => {
    // Ctrl-C arrives twice at once, from the terminal and from `bun run`; after a second it is a deliberate second request.
    if (asked !== 0 && Date.now() - asked > 1000) server.kill();
    asked ||= Date.now();
    server.stop();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  watchLauncher(server.stop);
  process.exit(await server.exited);
}

await exitOnObstacle(async () => {
  requireBun();
  await ensureInstalled();
  const given = trialSettings();
  await checkSettings(given);
  await ensureBuilt();
  await runServer(given);
});
