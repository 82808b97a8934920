import { spawn } from "node:child_process";
import { printLine } from "../../config/console-line.ts";
import { untilInputEnds } from "../../db/embedded/watchdog.ts";
import { childEnvironment, projectRoot } from "../prepare.ts";

export type ServerProcess = {
  /** The status the server ended with; 137 when it was killed. */
  exited: Promise<number>;
  /** Lets it shut down in order, for at most 30 seconds. */
  stop(): void;
  kill(): void;
};

/**
 * Starts the server. Its watchdog lets it shut down in order when our end of a pipe closes, also when we are killed. It
 * has a session of its own, so that Ctrl-C reaches only us.
 */
export function startServerProcess(settings: Record<string, string>): ServerProcess {
  const server = spawn("sh", ["-c", untilInputEnds, "sh", process.execPath, "app/server.ts"], {
    cwd: projectRoot,
    env: childEnvironment(settings),
    detached: true,
    stdio: ["pipe", "inherit", "inherit"],
  });
  const exited = new Promise<number>((resolve) => {
    server.once("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 137)));
    server.once("error", (error) => {
      printLine(`The server could not be started: ${error.message}`, "error");
      resolve(1);
    });
  });
  return {
    exited,
    stop: () => server.stdin.end(),
    kill: () => {
      if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
    },
  };
}
