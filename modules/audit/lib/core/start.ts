import { now } from "#db/clock";
import { log } from "#db/log";
import "../chain/check-chain.ts";
import { beginEraIfRestored } from "../chain/restore-era.ts";
import "../heads/anchor-heads.ts";
import { measureLog } from "./metrics.ts";
import "../erasure/erase-outdated.ts";
import { sealBlocks } from "../chain/seal-blocks.ts";

const EVERY_MS = 1000;

let timer: ReturnType<typeof setTimeout> | undefined;
let sealing: Promise<void> | undefined;
let failing = false;

/** Seals what an earlier run left open, then seals about once a second until `stopAudit`. Call it before any verb runs. */
export async function startAudit(): Promise<void> {
  if (timer !== undefined) return;
  await beginEraIfRestored();
  await sealBlocks(now());
  measureLog();
  timer = setTimeout(tick, EVERY_MS);
}

/** Stops sealing, after one last time, so that a stopped Midman leaves no entry open. */
export async function stopAudit(): Promise<void> {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  await sealing;
  await sealOnce();
}

async function tick(): Promise<void> {
  sealing = sealOnce();
  await sealing;
  if (timer !== undefined) timer = setTimeout(tick, EVERY_MS);
}

/** A database that is away for a while is told of once, not every second; what was missed is sealed the next time. */
async function sealOnce(): Promise<void> {
  try {
    await sealBlocks(now());
    failing = false;
  } catch (error) {
    if (!failing) log().error({ err: error }, "audit: sealing failed");
    failing = true;
  }
}
