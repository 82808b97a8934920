import type { Tx } from "#db/client";
import { defineJob, type Job } from "#db/jobs";

export type Later = { tradeId: number; force: boolean; attempt: number };

let job: Job<Later> | undefined;

/** Gives the later checks their handler, once, at start. */
export function checkLaterWith(handler: (later: Later) => Promise<void>): void {
  job = defineJob<Later>("escrow.check", handler);
}

/**
 * Has a payment checked by a job: delayed, never dropped. Of several that wait for one trade the earliest time stands.
 * `force` is for a check with a reason of its own.
 */
export async function checkLater(
  tx: Tx,
  tradeId: number,
  when: Date | undefined,
  { force = false, attempt = 0 } = {},
): Promise<void> {
  if (job === undefined) throw new Error("escrow: startEscrow() has not run");
  const key = `${force ? "now" : "later"}:${tradeId}`;
  await job.enqueue(
    tx,
    { tradeId, force, attempt },
    when === undefined ? { key } : { startAfter: when, key },
  );
}
