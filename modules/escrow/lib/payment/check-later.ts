import { z } from "zod";
import type { Tx } from "#db/client";
import { defineJob, type Job } from "#db/jobs";

/** `quiet`: nobody is notified if no payment is found. Jobs of an older version lack the field. */
const laterCheckSchema = z.object({
  tradeId: z.int(),
  force: z.boolean(),
  attempt: z.int(),
  quiet: z.boolean().optional(),
  /** The payment that a callback named, until the provider lists it. */
  announced: z.string().optional(),
});
export type LaterCheck = z.infer<typeof laterCheckSchema>;

let checkJob: Job<LaterCheck> | undefined;

/** Registers the handler of later checks; called once, at start. */
export function checkLaterWith(handler: (later: LaterCheck) => Promise<void>): void {
  checkJob = defineJob("escrow.check", laterCheckSchema, handler);
}

/** Minutes until a check that left a hold which the provider can clear is repeated; after these, every hour. */
const REPEATED_AFTER = [1, 2, 5, 10, 30];
const minuteMs = 60_000;

/** The time at which a check is repeated for the `attempt`th time. */
export function nextRepeatAt(at: Date, attempt: number): Date {
  return new Date(at.getTime() + (REPEATED_AFTER[attempt] ?? 60) * minuteMs);
}

/** Repeats the check of a trade that is on hold until the provider answers. A repetition that is scheduled already keeps its time. */
export function checkAgain(tx: Tx, tradeId: number, at: Date): Promise<void> {
  return checkLater(tx, tradeId, nextRepeatAt(at, 0), { force: true, quiet: true });
}

/**
 * Enqueues a job that checks a trade's payment: delayed, never dropped. If several wait for one trade, the earliest time applies. `force`
 * is for a check with a reason of its own, `quiet` for one that neither the buyer nor the provider asked for.
 */
export async function checkLater(
  tx: Tx,
  tradeId: number,
  when: Date | undefined,
  how: { force?: boolean; attempt?: number; quiet?: boolean; announced?: string | undefined } = {},
): Promise<void> {
  if (checkJob === undefined) throw new Error("escrow: startEscrow() has not run");
  const { force = false, attempt = 0, quiet = false, announced } = how;
  // A quiet check must not replace one whose caller waits for a notice, nor may the check of one payment replace that of another.
  const key = `${quiet ? "quiet-" : ""}${force ? "now" : "later"}:${tradeId}${announced === undefined ? "" : `:${announced}`}`;
  const data = { tradeId, force, attempt, quiet, ...(announced !== undefined && { announced }) };
  await checkJob.enqueue(tx, data, when === undefined ? { key } : { startAfter: when, key });
}
