import type { Tx } from "#db/client";
import { defineJob, type Job } from "#db/jobs";
import type { Reference } from "../provider/provider-types.ts";

let holdChangedJob: Job<{ reference: Reference }> | undefined;

/** Says who hears that a trade's holds have changed; the higher module that knows its parties does, once, at start. */
export function registerHoldChangeHandler(handler: (reference: Reference) => Promise<void>): void {
  holdChangedJob = defineJob<{ reference: Reference }>("payments.hold", ({ reference }) =>
    handler(reference),
  );
}

/** Has the trade's parties and the administrators told by a job, once the caller's transaction is committed. */
export async function enqueueHoldChange(tx: Tx, reference: Reference): Promise<void> {
  await holdChangedJob?.enqueue(tx, { reference }, { key: `trade:${reference}` });
}
