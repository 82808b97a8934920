import { log } from "#db/log";

/** Supervisors kill a process that has not ended after a while: `bun run up` after thirty seconds. */
const SHUTDOWN_LIMIT_MS = 28_000;
/** Ctrl-C arrives twice at once, from the terminal and from `bun run`; a signal after this time is intended. */
const SIGNAL_REPEAT_MS = 1_000;

/**
 * Shuts this process down in order at SIGTERM or SIGINT. `steps` gets a function that returns the remaining ms; the exit code is 0 once it
 * is done. A second signal ends the process at once, and a shutdown that hangs is ended after 28 seconds (exit code 1 in both cases).
 */
export function shutDownOnSignal(steps: (left: () => number) => Promise<void>): void {
  let asked: number | undefined;
  const end = async () => {
    if (asked !== undefined) {
      if (performance.now() - asked > SIGNAL_REPEAT_MS) process.exit(1);
      return;
    }
    const from = performance.now();
    asked = from;
    setTimeout(() => {
      log().warn("running work took too long and was abandoned");
      process.exit(1);
    }, SHUTDOWN_LIMIT_MS).unref();
    try {
      await steps(() => SHUTDOWN_LIMIT_MS - (performance.now() - from));
    } catch (error) {
      log().error({ err: error }, "shutdown failed");
      process.exit(1);
    }
    process.exit(0);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
}

type StoppableServer = { stop(atOnce?: boolean): Promise<unknown> };

/** Stops accepting connections and waits at most `ms` for running requests; then closes their connections. */
export async function stopListening(server: StoppableServer, ms: number): Promise<void> {
  const late = Bun.sleep(ms).then(() => "late");
  if ((await Promise.race([server.stop(), late])) !== "late") return;
  log().warn("requests took too long and were aborted");
  await Promise.race([server.stop(true), Bun.sleep(1_000)]);
}
