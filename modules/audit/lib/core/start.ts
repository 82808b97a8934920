import { currentTime } from "#db/clock";
import { log } from "#db/log";
import "../chain/check-chain.ts";
import { beginEraIfRestored } from "../chain/restore-era.ts";
import "../heads/anchor-heads.ts";
import { measureLog } from "./metrics.ts";
import "../erasure/erase-outdated-entries.ts";
import { sealBlocks } from "../chain/seal-blocks.ts";

const EVERY_MS = 1000;

let sealTimer: ReturnType<typeof setTimeout> | undefined;
let currentSealing: Promise<void> | undefined;
let isSealingFailing = false;

/**
 * Seals the entries that an earlier run left unsealed, then seals about once a second until `stopAudit`. Must be called before anything is
 * recorded.
 */
export async function startAudit(): Promise<void> {
  if (sealTimer !== undefined) return;
  await beginEraIfRestored();
  await sealBlocks(currentTime());
  measureLog();
  sealTimer = setTimeout(sealAndReschedule, EVERY_MS);
}

/** Stops sealing after one last run, so that a stopped Midman leaves no entry unsealed. */
export async function stopAudit(): Promise<void> {
  if (sealTimer === undefined) return;
  clearTimeout(sealTimer);
  sealTimer = undefined;
  await currentSealing;
  await sealOnce();
}

async function sealAndReschedule(): Promise<void> {
  currentSealing = sealOnce();
  await currentSealing;
  if (sealTimer !== undefined) sealTimer = setTimeout(sealAndReschedule, EVERY_MS);
}

/** Logs an unreachable database once, not every second; the missed entries are sealed by a later run. */
async function sealOnce(): Promise<void> {
  try {
    await sealBlocks(currentTime());
    isSealingFailing = false;
  } catch (error) {
    if (!isSealingFailing) log().error({ err: error }, "audit: sealing failed");
    isSealingFailing = true;
  }
}
