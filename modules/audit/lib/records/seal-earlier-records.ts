import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob, WALK_SECONDS } from "#db/jobs";
import { sealedRecords } from "./record-registry.ts";

/**
 * Runs each night before the verification too: it adds the digest of a row that an older version, running beside this one, changed last.
 */
const sealEarlierJob = defineJob("audit.seal-records", () => sealEarlierRecords(currentTime()), {
  cron: "50 18 * * *",
  seconds: WALK_SECONDS,
});

/**
 * Adds to the log the digests of records that were written before digests were kept, or by an older version since. Repeating it changes
 * nothing.
 */
export async function sealEarlierRecords(at: Date): Promise<void> {
  for (const records of sealedRecords()) await records.sealEarlier(at);
}

/** Enqueues that job. Every start calls it, because an upgrade may have preceded it. */
export async function enqueueSealEarlier(): Promise<void> {
  await runInTransaction((tx: Tx) => sealEarlierJob.enqueue(tx, undefined, { key: "once" }));
}
