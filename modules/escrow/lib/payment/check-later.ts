import type { Tx } from "#db/client";
import { defineJob, type Job } from "#db/jobs";

/** `quiet`: nobody is told that nothing came. One that an older version left behind says nothing of it. */
export type LaterCheck = {
  tradeId: number;
  force: boolean;
  attempt: number;
  quiet?: boolean;
  /** The payment that a callback named, until the provider lists it. */
  announced?: string;
};

let checkJob: Job<LaterCheck> | undefined;

/** Gives the later checks their handler, once, at start. */
export function checkLaterWith(handler: (later: LaterCheck) => Promise<void>): void {
  checkJob = defineJob<LaterCheck>("escrow.check", handler);
}

/** After so many minutes a check is repeated that left a hold which the provider may clear; then every hour (design §4). */
const REPEATED_AFTER = [1, 2, 5, 10, 30];
const minuteMs = 60_000;

/** When a check is repeated for the `attempt`th time. */
export function nextRepeatAt(at: Date, attempt: number): Date {
  return new Date(at.getTime() + (REPEATED_AFTER[attempt] ?? 60) * minuteMs);
}

/** Has a trade that is on hold until the provider answers asked about again. One that waits already keeps its turn. */
export function checkAgain(tx: Tx, tradeId: number, at: Date): Promise<void> {
  return checkLater(tx, tradeId, nextRepeatAt(at, 0), { force: true, quiet: true });
}

/**
 * Has a payment checked by a job: delayed, never dropped. Of several that wait for one trade the earliest time stands.
 * `force` is for a check with a reason of its own, `quiet` for one that neither the buyer nor the provider asked for.
 */
export async function checkLater(
  tx: Tx,
  tradeId: number,
  when: Date | undefined,
  how: { force?: boolean; attempt?: number; quiet?: boolean; announced?: string | undefined } = {},
): Promise<void> {
  if (checkJob === undefined) throw new Error("escrow: startEscrow() has not run");
  const { force = false, attempt = 0, quiet = false, announced } = how;
  // A quiet one must not take the place of one whose asker is to be told, nor one payment's that of another's.
  const key = `${quiet ? "quiet-" : ""}${force ? "now" : "later"}:${tradeId}${announced === undefined ? "" : `:${announced}`}`;
  const data = { tradeId, force, attempt, quiet, ...(announced !== undefined && { announced }) };
  await checkJob.enqueue(tx, data, when === undefined ? { key } : { startAfter: when, key });
}
