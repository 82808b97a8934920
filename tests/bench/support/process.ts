import { readFileSync } from "node:fs";

/** A process of its own on one core, which answers what it is asked, in order. */
export type Pinned = {
  readonly pid: number;
  /** Sends a message and waits for its answer. Throws what the process said if it ends instead. */
  ask<T>(message: unknown): Promise<T>;
  /** Processor time used so far by all its threads, user and system, in µs (steps of 10 ms). */
  cpuMicros(): number;
  /** What of its memory lies in RAM, in bytes. */
  memory(): number;
  /** Asks it to end (SIGTERM), after ten seconds ends it (SIGKILL), and waits until it is gone. */
  end(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Waiting = { resolve(answer: unknown): void; reject(error: Error): void };

const running = new Set<Bun.Subprocess>();

// No bench leaves a process behind, however it ends.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

/** Ends this bench and all it started with an error once `seconds` are over. */
export function atMost(seconds: number): void {
  const over = () => {
    console.error(`The bench did not finish within ${seconds} seconds`);
    process.exit(1);
  };
  setTimeout(over, seconds * 1000).unref();
}

/** Keeps this process, and what it starts from now on, on one core. */
export function stayOn(core: number): void {
  Bun.spawnSync(["taskset", "-acp", String(core), String(process.pid)]);
}

/**
 * Starts `command` on one core (`taskset -c`). It may speak over the channel of `process.send`; what it prints is shown
 * only when it fails. Linux alone: times come from /proc.
 */
export function pinned(
  core: number,
  command: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Pinned {
  if (Bun.which("taskset") === null) throw new Error("The benches need Linux with taskset (util-linux)");
  const waiting: Waiting[] = [];
  const child = Bun.spawn(["taskset", "-c", String(core), ...command], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...options.env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    serialization: "json",
    ipc: (answer) => waiting.shift()?.resolve(answer),
  });
  running.add(child);
  const said = new Response(child.stderr).text();
  child.exited.then(async (code) => {
    running.delete(child);
    const error = new Error(`${command.join(" ")} ended with ${code}:\n${await said}`);
    for (const asked of waiting.splice(0)) asked.reject(error);
  });
  const end = async () => {
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await child.exited;
    clearTimeout(late);
  };
  return {
    pid: child.pid,
    ask: <T>(message: unknown) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.push({ resolve, reject });
      child.send(message);
      return promise as Promise<T>;
    },
    cpuMicros: () => cpuMicros(child.pid),
    memory: () => memory(child.pid),
    end,
    [Symbol.asyncDispose]: end,
  };
}

/** The kernel shows processes' times to programs in hundredths of a second (USER_HZ), on every Linux. */
const tick = 10_000;

/** The processor time a process has used, in microseconds, to the hundredth of a second. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

function memory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/** Waits until `url` answers, with a 200 unless any status will do; at most 30 seconds. */
export async function answering(url: string, anyStatus = false): Promise<void> {
  for (const from = Date.now(); Date.now() - from < 30_000; await Bun.sleep(50)) {
    const reply = await fetch(url, { redirect: "manual" }).catch(() => undefined);
    if (reply?.ok || (reply !== undefined && anyStatus)) return;
  }
  throw new Error(`${url} did not answer within 30 seconds`);
}
