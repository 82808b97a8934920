import { log } from "#db/log";

/** Whoever supervises kills what has not ended after a while: `bun run up` after thirty seconds. */
const SHUTDOWN_LIMIT_MS = 28_000;
/** Ctrl-C comes twice at once, from the terminal and from `bun run`; a second later somebody means it. */
const SIGNAL_REPEAT_MS = 1_000;

/**
 * Ends this process in order at SIGTERM or SIGINT: `steps` is told how many milliseconds are left, and 0 is answered once it is
 * done. Whoever asks a second time ends it at once, and what hangs does not keep it longer than 28 seconds (both answer 1).
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
      log().warn("what was under way took too long and was left");
      process.exit(1);
    }, SHUTDOWN_LIMIT_MS).unref();
    try {
      await steps(() => SHUTDOWN_LIMIT_MS - (performance.now() - from));
    } catch (error) {
      log().error({ err: error }, "the end was not in order");
      process.exit(1);
    }
    process.exit(0);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
}

type StoppableServer = { stop(atOnce?: boolean): Promise<unknown> };

/** Takes no more connections and waits for the answers under way, at most so many milliseconds; then they are cut. */
export async function stopListening(server: StoppableServer, ms: number): Promise<void> {
  const late = Bun.sleep(ms).then(() => "late");
  if ((await Promise.race([server.stop(), late])) !== "late") return;
  log().warn("requests took too long and were cut");
  await Promise.race([server.stop(true), Bun.sleep(1_000)]);
}
