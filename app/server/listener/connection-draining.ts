import { config } from "#config";

let drainStarted = false;

/** True from the moment this instance began to shut down: `/readyz` is not ready, and each response closes its connection. */
export function isDraining(): boolean {
  return drainStarted;
}

/**
 * Announces that this instance shuts down, and waits as long as the proxy in front of it may take to notice; meanwhile everything is
 * served. A proxy that keeps connections open would otherwise send the next form into one that is being closed, and must not send it again:
 * so from here on each response closes its connection (`Connection: close`).
 */
export async function startDraining(): Promise<void> {
  drainStarted = true;
  await Bun.sleep(drainSeconds() * 1_000);
}

/** Without a proxy nothing polls `/readyz`, and a person who pressed Ctrl-C would have to wait. */
function drainSeconds(): number {
  return config().DRAIN_SECONDS ?? (config().TRUST_PROXY ? 5 : 0);
}
