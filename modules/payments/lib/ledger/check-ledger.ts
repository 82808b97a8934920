import { desc } from "drizzle-orm";
import { type VerificationState, verificationStateOf } from "#db/checks";
import { db, type Executor, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob, WALK_SECONDS } from "#db/jobs";
import { log } from "#db/log";
import { ledgerChecks } from "../schema/checks.ts";
import { type Problem, type Sums, verifyLedger } from "./verify-ledger.ts";

/** What came of a verification of the whole ledger: its sums and, where it is not whole, what was found. */
export type LedgerCheck = { at: Date; sums: Sums } & ({ ok: true } | { ok: false; problems: Problem[] });

/** Told what was found, and since when none was good, in the transaction that keeps it. */
export type LedgerAlarm = (
  tx: Tx,
  found: { at: Date; since: Date; problems: readonly Problem[] },
) => Promise<void>;

const kept = { table: "payments.ledger_checks", job: "payments.verify" } as const;

let alarm: LedgerAlarm | undefined;

/** Verifies the ledger each night, and when it is asked to. */
const check = defineJob(kept.job, () => checkLedgerNow(now()), {
  cron: "50 19 * * *",
  seconds: WALK_SECONDS,
});

/** Says who hears of a ledger that is not whole; the higher module that knows the administrators does. */
export function alarmLedgerWith(handler: LedgerAlarm): void {
  alarm = handler;
}

/** Verifies the whole ledger and keeps what came of it; what is broken is told in the same transaction. */
export async function checkLedgerNow(at: Date): Promise<void> {
  const verdict = await verifyLedger();
  const problems = verdict.ok ? null : verdict.problems;
  if (problems !== null) {
    log().error({ problems: problems.map(({ code }) => code) }, "payments: the ledger is broken");
  }
  await transaction(async (tx) => {
    const row = { at, ok: verdict.ok, ...verdict.sums, problems };
    const written = await tx.insert(ledgerChecks).values(row).onConflictDoNothing().returning();
    if (problems === null || written.length === 0) return;
    const { brokenSince } = await verificationStateOf(tx, kept, at);
    await alarm?.(tx, { at, since: brokenSince ?? at, problems });
  });
}

/** Has the ledger verified by a job, once the caller's transaction is there; asking while one waits adds no other. */
export async function checkLedgerSoon(tx: Tx): Promise<void> {
  await check.enqueue(tx, undefined, { key: "asked" });
}

/** The latest verification; null before the first. */
export async function lastLedgerCheck(exec: Executor): Promise<LedgerCheck | null> {
  const [row] = await exec.select().from(ledgerChecks).orderBy(desc(ledgerChecks.at)).limit(1);
  if (row === undefined) return null;
  const { at, ok, problems, ...sums } = row;
  return ok ? { at, sums, ok } : { at, sums, ok, problems: problems ?? [] };
}

/** Since when the ledger is broken, and since when its nightly verification is missing. */
export function ledgerStanding(at: Date): Promise<VerificationState> {
  return verificationStateOf(db(), kept, at);
}
