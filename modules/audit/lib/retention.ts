import { transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { scrubTraces } from "./scrub.ts";

/** How long addresses and devices are kept, in days: the privacy policy's promise (specification §9). */
export const TRACE_DAYS = 30;
const DAY_MS = 86_400_000;

/** Erases, each night, the traces whose time is over. */
export const retention = defineJob("audit.retention", scrubOldTraces, { cron: "20 19 * * *" });

/** Erases every trace older than 30 days. */
export async function scrubOldTraces(): Promise<void> {
  const at = now();
  const olderThan = new Date(at.getTime() - TRACE_DAYS * DAY_MS);
  await transaction((tx) => scrubTraces(tx, { by: { userId: null }, at, olderThan }));
}
