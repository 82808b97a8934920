// `npx bun run up`: installs, builds, migrates and serves, from a bare clone on. Imports nothing from node_modules.
import { spawn } from "node:child_process";
import { untilInputEnds } from "../db/embedded/watchdog.ts";
import { watchLauncher } from "./ancestors.ts";
import { ensureBuilt, ensureInstalled, environment, fail, requireBun, root } from "./prepare.ts";

/** Without a payment provider this is a trial: the sandbox stands in for one, and every page says so. */
function settings(): Record<string, string> {
  const provider = Object.entries(process.env).some(
    ([name, value]) => name.startsWith("QPAY_") && value !== "",
  );
  const said = (process.env.ALLOW_SANDBOX ?? "") !== "";
  return { NODE_ENV: "production", ...(provider || said ? {} : { ALLOW_SANDBOX: "true" }) };
}

/** Stops here for a bad setting, one line each, before anything is built or started. */
async function checkSettings(given: Record<string, string>): Promise<void> {
  const { readConfig } = await import("../config.ts");
  const read = readConfig({ ...process.env, ...given });
  if (!read.ok) fail(`Midman cannot start.\n${read.lines.join("\n")}`);
}

/**
 * Runs the server until it ends, and ends as it did. Its watchdog lets it shut down in order when our end of the pipe
 * closes, also when we are killed; in a session of its own, so that Ctrl-C reaches only us and we do that.
 */
function serve(given: Record<string, string>): void {
  const command = ["-c", untilInputEnds, "sh", process.execPath, "app/server.ts"];
  const server = spawn("sh", command, {
    cwd: root,
    env: environment(given),
    detached: true,
    stdio: ["pipe", "inherit", "inherit"],
  });
  let asked = 0;
  const stop = () => {
    // Ctrl-C comes twice at once, from the terminal and from `bun run`; a second later somebody means it.
    if (asked !== 0 && Date.now() - asked > 1000 && server.pid !== undefined)
      process.kill(-server.pid, "SIGKILL");
    asked ||= Date.now();
    server.stdin.end();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  watchLauncher(() => server.stdin.end());
  server.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 137)));
  server.on("error", (error) => fail(`The server could not be started: ${error.message}`));
}

requireBun();
await ensureInstalled();
const given = settings();
await checkSettings(given);
await ensureBuilt();
serve(given);
