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
 * What came of a verification of the whole chain: `block` is the last one that was verified or, when `ok` is false, the
 * first that is broken, with its reason.
 */
export type LogCheck = { at: Date; block: number } & (
  | { ok: true; head: string; entries: number }
  | { ok: false; reason: string }
);

/** Told where the chain is broken, why, and since when it never was whole, in the transaction that keeps it. */
export type LogAlarm = (
  tx: Tx,
  found: { at: Date; since: Date; block: number; reason: string },
) => Promise<void>;

const logVerification = { table: "audit.checks", job: "audit.check" } as const;

let logAlarm: LogAlarm | undefined;

/** Verifies the chain each night, and when it is asked to; a page only shows what came of it. */
const logCheckJob = defineJob(logVerification.job, checkLogNow, {
  cron: "40 19 * * *",
  seconds: WALK_SECONDS,
});

/** Says who hears of a broken chain; the higher module that knows the administrators does. */
export function registerLogAlarm(handler: LogAlarm): void {
  logAlarm = handler;
}

/** Verifies the whole chain and keeps what came of it; what is broken is told in the same transaction. */
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

/** Has the chain verified by a job, once the caller's transaction is there; asking while one waits adds no other. */
export async function enqueueLogCheck(tx: Tx): Promise<void> {
  await logCheckJob.enqueue(tx, undefined, { key: "asked" });
}

/**
 * The same, unless the latest verification found something wrong: administrators know then, and the nightly one goes on telling them. For
 * what is noticed as often as a provider answers.
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

/** Since when the chain is broken, and since when its nightly verification is missing. */
export function logVerificationState(at: Date): Promise<VerificationState> {
  return verificationStateOf(db(), logVerification, at);
}
