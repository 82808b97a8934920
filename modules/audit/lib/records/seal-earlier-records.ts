import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob, WALK_SECONDS } from "#db/jobs";
import { sealedRecords } from "./record-registry.ts";

/** Each night before the verification, too: a row that an older version, running beside, changed last waits no longer. */
const sealEarlierJob = defineJob("audit.seal-records", () => sealEarlierRecords(currentTime()), {
  cron: "50 18 * * *",
  seconds: WALK_SECONDS,
});

/** Puts into the log what was written before digests were kept, or by an older version since. Repeating it changes nothing. */
export async function sealEarlierRecords(at: Date): Promise<void> {
  for (const records of sealedRecords()) await records.sealEarlier(at);
}

/** Has a job do it. Every start asks, for an upgrade may just have happened. */
export async function enqueueSealEarlier(): Promise<void> {
  await runInTransaction((tx: Tx) => sealEarlierJob.enqueue(tx, undefined, { key: "once" }));
}
