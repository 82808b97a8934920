import type { Tx } from "#db/client";
import { defineJob, type Job } from "#db/jobs";

/** `quiet`: nobody is told that nothing came. One that an older version left behind says nothing of it. */
export type Later = { tradeId: number; force: boolean; attempt: number; quiet?: boolean };

let job: Job<Later> | undefined;

/** Gives the later checks their handler, once, at start. */
export function checkLaterWith(handler: (later: Later) => Promise<void>): void {
  job = defineJob<Later>("escrow.check", handler);
}

/**
 * Has a payment checked by a job: delayed, never dropped. Of several that wait for one trade the earliest time stands.
 * `force` is for a check with a reason of its own, `quiet` for one that neither the buyer nor the provider asked for.
 */
export async function checkLater(
  tx: Tx,
  tradeId: number,
  when: Date | undefined,
  { force = false, attempt = 0, quiet = false } = {},
): Promise<void> {
  if (job === undefined) throw new Error("escrow: startEscrow() has not run");
  // A quiet one must not take the place of one whose asker is to be told.
  const key = `${quiet ? "quiet-" : ""}${force ? "now" : "later"}:${tradeId}`;
  await job.enqueue(
    tx,
    { tradeId, force, attempt, quiet },
    when === undefined ? { key } : { startAfter: when, key },
  );
}
