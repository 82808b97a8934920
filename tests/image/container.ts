import { mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Box, beside, boxed, firstOf } from "./box.ts";
import type { Built } from "./build.ts";

export type Container = {
  url: string;
  output(): string;
  /** The image's own health check: its status. */
  health(): Promise<number>;
  /** Sends process 1 the image's stop signal; answers the status it ended with. */
  stop(): Promise<number>;
  /** Ends it at once, as a lack of memory would, where it still runs. */
  kill(): void;
  exited: Promise<number>;
};

export type Options = {
  environment: Record<string, string>;
  /** Its port; the network is the machine's. */
  port: number;
  /** Folder of this machine for each volume. */
  volumes?: Record<string, string>;
};

const running = new Set<Bun.Subprocess>();

/** Ends whatever still runs, at once: nothing may stand on a root that is about to be removed. */
export async function endContainers(): Promise<void> {
  for (const child of running) {
    const first = firstOf(child.pid);
    if (first !== undefined) process.kill(first, "SIGKILL"); // it takes its namespace with it
    await child.exited;
  }
}

/** Starts the image's command as its user, its root read-only. */
export function startContainer({ root, config }: Built, { environment, port, volumes }: Options): Container {
  const given = { ...config.environment, PORT: String(port), ...environment };
  const box: Box = {
    root,
    sealed: true,
    user: config.user,
    workdir: config.workdir,
    environment: given,
    volumes,
  };
  const log = join(mkdtempSync(join(tmpdir(), "midman-image-log-")), "log");
  const child = Bun.spawn(boxed(box, [...config.entrypoint, ...config.command]), {
    stdin: "ignore",
    stdout: openSync(log, "a"),
    stderr: openSync(log, "a"),
  });
  running.add(child);
  void child.exited.then(() => running.delete(child));
  const first = () => {
    const pid = firstOf(child.pid);
    if (pid === undefined) throw new Error("The container has no process");
    return pid;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => readFileSync(log, "utf8"),
    health: () =>
      Bun.spawn(beside(box, first(), config.health), { stdout: "ignore", stderr: "inherit" }).exited,
    stop: () => {
      process.kill(first(), config.stopSignal as NodeJS.Signals);
      return child.exited;
    },
    kill: () => {
      const pid = child.exitCode === null ? firstOf(child.pid) : undefined;
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    exited: child.exited,
  };
}

/** Waits until it is ready; answers the seconds since `began`. Throws with what it said where it ends or ten minutes pass. */
export async function untilReady(container: Container, began: number): Promise<number> {
  let ended = false;
  void container.exited.then(() => {
    ended = true;
  });
  for (const from = Date.now(); Date.now() - from < 600_000 && !ended; await Bun.sleep(25)) {
    const ready = await fetch(`${container.url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ready) return (performance.now() - began) / 1000;
  }
  throw new Error(`It was not ready:\n${container.output()}`);
}
