import { z } from "zod";
import type { Tx } from "#db/client";
import { defineJob, type Job } from "#db/jobs";
import type { Reference } from "../provider/provider-types.ts";

let holdChangedJob: Job<{ reference: Reference }> | undefined;

/** Registers, once at start, the handler for changed holds. The escrow module registers it, because it knows the trade's parties. */
export function registerHoldChangeHandler(handler: (reference: Reference) => Promise<void>): void {
  holdChangedJob = defineJob("payments.hold", z.object({ reference: z.int() }), ({ reference }) =>
    handler(reference),
  );
}

/** Enqueues a job that notifies the trade's parties and the administrators after the caller's transaction has committed. */
export async function enqueueHoldChange(tx: Tx, reference: Reference): Promise<void> {
  await holdChangedJob?.enqueue(tx, { reference }, { key: `trade:${reference}` });
}
