import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilInputEnds } from "../../../db/embedded/watchdog.ts";

export type TestRedis = {
  readonly url: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A real Redis on a random port, keeping nothing; it ends with this process whatever happens to that. */
export async function startRedis(): Promise<TestRedis> {
  const binary = Bun.which("redis-server");
  if (binary === null)
    throw new Error("These tests need redis-server (Debian: apt-get install redis-server)");
  for (let attempt = 0; attempt < 5; attempt++) {
    const started = await startOnPort(binary, 22_100 + Math.floor(Math.random() * 10_000)).catch(
      () => undefined,
    );
    if (started !== undefined) return started;
  }
  throw new Error("redis-server did not start on five ports");
}

/** Throws if another process has the port. */
async function startOnPort(binary: string, port: number): Promise<TestRedis> {
  const pidFile = join(tmpdir(), `midman-redis-${port}.pid`);
  const keep = ["--save", "", "--appendonly", "no"];
  const command = [binary, "--port", String(port), "--bind", "127.0.0.1", "--pidfile", pidFile, ...keep];
  let running: Bun.Subprocess<"pipe", "ignore", "ignore"> | undefined;
  const stop = async () => {
    running?.stdin.end();
    await running?.exited;
  };
  const restart = async () => {
    running = Bun.spawn(["sh", "-c", untilInputEnds, "sh", ...command], {
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      cwd: "/tmp",
    });
    await waitForPort(port);
    // Another process may have answered at the port: only a Redis that could listen writes its id.
    while (!existsSync(pidFile)) {
      if (running.exitCode !== null) throw new Error(`redis-server ended: is port ${port} taken?`);
      await Bun.sleep(10);
    }
  };
  const kill = async () => {
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
    await running?.exited;
  };
  await restart();
  return { url: `redis://127.0.0.1:${port}`, kill, restart, stop };
}

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
      socket.end();
      return;
    } catch {
      await Bun.sleep(25);
    }
  }
  throw new Error("redis-server did not start");
}
