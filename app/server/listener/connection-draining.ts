import { config } from "#config";

let drainStarted = false;

/** True from the moment this instance was asked to end: `/readyz` says no, and each answer ends its connection. */
export function isDraining(): boolean {
  return drainStarted;
}

/**
 * Says that this instance is going, and waits as long as the proxy before it may take to notice; meanwhile everything is
 * served. A proxy that keeps connections would else send the next form into one that is being closed, and may not send it
 * a second time: so from here on each answer ends its connection (`Connection: close`).
 */
export async function startDraining(): Promise<void> {
  drainStarted = true;
  await Bun.sleep(drainSeconds() * 1_000);
}

/** Without a proxy nobody looks at `/readyz`, and whoever pressed Ctrl-C waits. */
function drainSeconds(): number {
  return config().DRAIN_SECONDS ?? (config().TRUST_PROXY ? 5 : 0);
}
