import { desc } from "drizzle-orm";
import { db, type Executor, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob, WALK_SECONDS } from "#db/jobs";
import { type VerificationState, verificationStateOf } from "#db/jobs/nightly-verifications";
import { log } from "#db/log";
import { ledgerChecksTable } from "../schema/ledger-checks.ts";
import { type LedgerProblem, type LedgerSums, verifyLedger } from "./verify-ledger.ts";

/** The result of a verification of the whole ledger: its sums and, if it failed, the problems found. */
export type LedgerCheck = { at: Date; sums: LedgerSums } & (
  | { ok: true }
  | { ok: false; problems: LedgerProblem[] }
);

/** Receives, in the transaction that records a failed verification, its problems and the time since which no verification has succeeded. */
export type LedgerAlarm = (
  tx: Tx,
  found: { at: Date; since: Date; problems: readonly LedgerProblem[] },
) => Promise<void>;

const ledgerVerification = { table: "payments.ledger_checks", job: "payments.verify" } as const;

let ledgerAlarm: LedgerAlarm | undefined;

/** Verifies the ledger each night, and on request. */
const ledgerCheckJob = defineJob(ledgerVerification.job, () => checkLedgerNow(currentTime()), {
  cron: "50 19 * * *",
  seconds: WALK_SECONDS,
});

/**
 * Registers the handler that reports a failed verification. The escrow module registers it, because it knows the administrators. Returns
 * a function that puts the former one back (for tests).
 */
export function registerLedgerAlarm(handler: LedgerAlarm): () => void {
  const former = ledgerAlarm;
  ledgerAlarm = handler;
  return () => {
    ledgerAlarm = former;
  };
}

/** Verifies the whole ledger and records the result. A failed verification raises the alarm in the same transaction. */
export async function checkLedgerNow(at: Date): Promise<void> {
  const verdict = await verifyLedger();
  const problems = verdict.ok ? null : verdict.problems;
  if (problems !== null) {
    log().error({ problems: problems.map(({ code }) => code) }, "payments: the ledger is broken");
  }
  await runInTransaction(async (tx) => {
    const row = { at, ok: verdict.ok, ...verdict.sums, problems };
    const written = await tx.insert(ledgerChecksTable).values(row).onConflictDoNothing().returning();
    if (problems === null || written.length === 0) return;
    const { brokenSince } = await verificationStateOf(tx, ledgerVerification, at);
    await ledgerAlarm?.(tx, { at, since: brokenSince ?? at, problems });
  });
}

/** Enqueues a verification of the ledger, which runs after the caller's transaction commits. While one waits, another request adds none. */
export async function enqueueLedgerCheck(tx: Tx): Promise<void> {
  await ledgerCheckJob.enqueue(tx, undefined, { key: "asked" });
}

/** The latest verification; null before the first. */
export async function lastLedgerCheck(exec: Executor): Promise<LedgerCheck | null> {
  const [row] = await exec.select().from(ledgerChecksTable).orderBy(desc(ledgerChecksTable.at)).limit(1);
  if (row === undefined) return null;
  const { at, ok, problems, ...sums } = row;
  return ok ? { at, sums, ok } : { at, sums, ok, problems: problems ?? [] };
}

/** Since when the ledger has been broken, and since when its nightly verification has been missing. */
export function ledgerVerificationState(at: Date): Promise<VerificationState> {
  return verificationStateOf(db(), ledgerVerification, at);
}
