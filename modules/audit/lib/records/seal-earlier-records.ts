import { type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob, WALK_SECONDS } from "#db/jobs";
import { sealedRecords } from "./record-registry.ts";

/** Each night before the verification, too: a row that an older version, running beside, changed last waits no longer. */
const job = defineJob("audit.seal-records", () => sealEarlierRecords(now()), {
  cron: "50 18 * * *",
  seconds: WALK_SECONDS,
});

/** Puts into the log what was written before digests were kept, or by an older version since. Repeating it changes nothing. */
export async function sealEarlierRecords(at: Date): Promise<void> {
  for (const records of sealedRecords()) await records.sealEarlier(at);
}

/** Has a job do it. Every start asks, for an upgrade may just have happened. */
export async function sealEarlierSoon(): Promise<void> {
  await transaction((tx: Tx) => job.enqueue(tx, undefined, { key: "once" }));
}
