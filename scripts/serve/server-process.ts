import { spawn } from "node:child_process";
import { printLine } from "../../config/console-line.ts";
import { untilInputEnds } from "../../db/embedded/watchdog.ts";
import { childEnvironment, projectRoot } from "../prepare.ts";

export type ServerProcess = {
  /** The server's exit status; 137 if it was killed. */
  exited: Promise<number>;
  /** Requests an orderly shutdown, which takes at most 30 seconds. */
  stop(): void;
  kill(): void;
};

/**
 * Starts the server. Its watchdog shuts it down in order when this process's end of a pipe closes, also if this process is killed. The
 * server has a session of its own, so that Ctrl-C reaches only this process.
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
