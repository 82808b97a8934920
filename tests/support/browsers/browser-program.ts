import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A browser's program with a home of its own, in which it keeps what it keeps. */
export type BrowserProgram = {
  readonly home: string;
  /** Throws if the program has ended: waiting for it is in vain. */
  assertRunning(): void;
  /** Ends it and all that it started, and removes its home. */
  stop(): Promise<void>;
};

/** Starts a program in a temporary home: its profile, caches and settings lie there, and nobody's own are touched. */
export function startBrowserProgram(
  command: (home: string) => string[],
  prepare: (home: string) => void = () => undefined,
): BrowserProgram {
  const home = mkdtempSync(join(tmpdir(), "midman-browser-"));
  prepare(home);
  const child = Bun.spawn(command(home), {
    cwd: home,
    // A session of its own, so that the processes it starts end with it.
    detached: true,
    env: {
      ...{ PATH: process.env.PATH ?? "", HOME: home, XDG_RUNTIME_DIR: home, TMPDIR: home },
      ...{ LANG: "en_US.UTF-8", LANGUAGE: "en", TZ: "Asia/Ulaanbaatar", NO_AT_BRIDGE: "1" },
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const end = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // All of them have ended.
    }
  };
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  const atExit = () => {
    end();
    remove();
  };
  process.on("exit", atExit);
  return {
    home,
    assertRunning: () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error("The browser has ended");
    },
    stop: async () => {
      process.off("exit", atExit);
      end();
      await child.exited;
      remove();
    },
  };
}
