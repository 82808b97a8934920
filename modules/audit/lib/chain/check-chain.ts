import { desc } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob, WALK_SECONDS } from "#db/jobs";
import { type VerificationState, verificationStateOf } from "#db/jobs/nightly-verifications";
import { log } from "#db/log";
import { auditChecksTable } from "../core/schema.ts";
import { keepHead } from "../heads/kept-heads.ts";
import { verifyChain } from "./verify-chain.ts";

/**
 * The result of a verification of the whole chain: `block` is the last verified block or, when `ok` is false, the first broken one, with
 * the reason.
 */
export type LogCheck = { at: Date; block: number } & (
  | { ok: true; head: string; entries: number }
  | { ok: false; reason: string }
);

/**
 * Receives, in the transaction that records a failed verification, the broken block, the reason, and the time since which no verification
 * has succeeded.
 */
export type LogAlarm = (
  tx: Tx,
  found: { at: Date; since: Date; block: number; reason: string },
) => Promise<void>;

const logVerification = { table: "audit.checks", job: "audit.check" } as const;

let logAlarm: LogAlarm | undefined;

/** Verifies the chain each night, and on request; pages only show the result. */
const logCheckJob = defineJob(logVerification.job, checkLogNow, {
  cron: "40 19 * * *",
  seconds: WALK_SECONDS,
});

/** Registers the handler that reports a broken chain. The escrow module registers it, because it knows the administrators. */
export function registerLogAlarm(handler: LogAlarm): void {
  logAlarm = handler;
}

/** Verifies the whole chain and records the result. A broken chain raises the alarm in the same transaction. */
export async function checkLogNow(): Promise<void> {
  const at = currentTime();
  const verdict = await verifyChain({ runningAt: at });
  if (!verdict.ok) log().error({ block: verdict.block, reason: verdict.reason }, "audit: the log is broken");
  const row = verdict.ok
    ? { at, ok: true, block: verdict.blocks, head: verdict.head, entries: verdict.rows }
    : { at, ok: false, block: verdict.block, reason: verdict.reason };
  await runInTransaction(async (tx) => {
    const written = await tx.insert(auditChecksTable).values(row).onConflictDoNothing().returning();
    if (written.length === 0) return;
    if (verdict.ok) {
      const { blocks: block, head } = verdict;
      if (block > 0) await keepHead(tx, { at, block, head, sentTo: null });
      return;
    }
    const { brokenSince } = await verificationStateOf(tx, logVerification, at);
    await logAlarm?.(tx, { at, since: brokenSince ?? at, block: verdict.block, reason: verdict.reason });
  });
}

/** Enqueues a verification of the chain, which runs after the caller's transaction commits. While one waits, another request adds none. */
export async function enqueueLogCheck(tx: Tx): Promise<void> {
  await logCheckJob.enqueue(tx, undefined, { key: "asked" });
}

/**
 * The same, unless the latest verification failed: then administrators know already, and the nightly verification keeps reporting it. For
 * callers that may notice the same fault at every answer of the provider.
 */
export async function enqueueLogCheckIfWhole(tx: Tx): Promise<void> {
  const [latest] = await tx
    .select({ ok: auditChecksTable.ok })
    .from(auditChecksTable)
    .orderBy(desc(auditChecksTable.at))
    .limit(1);
  if (latest?.ok !== false) await enqueueLogCheck(tx);
}

/** The latest verification; null before the first. */
export async function lastLogCheck(): Promise<LogCheck | null> {
  const [row] = await db().select().from(auditChecksTable).orderBy(desc(auditChecksTable.at)).limit(1);
  if (row === undefined) return null;
  const { at, block, head, entries, reason } = row;
  if (row.ok && head !== null && entries !== null) return { at, block, ok: true, head, entries };
  return { at, block, ok: false, reason: reason ?? "" };
}

/** Since when the chain has been broken, and since when its nightly verification has been missing. */
export function logVerificationState(at: Date): Promise<VerificationState> {
  return verificationStateOf(db(), logVerification, at);
}
