import { ownsBooks } from "#db/access/application-role";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { anchorLateSince, enqueueLogCheck, logVerificationState, recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type NotAdmin, requireAdmin } from "#modules/identity";
import {
  enqueueLedgerCheck,
  type LedgerCheck,
  lastLedgerCheck,
  ledgerVerificationState,
} from "#modules/payments";
import type { Alarm } from "./responses.ts";

/** What the nightly verifications ask administrators to look into, broken ones first. */
export async function findAlarms(at: Date): Promise<Alarm[]> {
  const [ledger, log, anchor] = await Promise.all([
    ledgerVerificationState(at),
    logVerificationState(at),
    anchorLateSince(at),
  ]);
  const found: Array<[Alarm["of"], Alarm["state"], Date | null]> = [
    ["ledger", "broken", ledger.brokenSince],
    ["log", "broken", log.brokenSince],
    ["ledger", "missing", ledger.missingSince],
    ["log", "missing", log.missingSince],
    ["anchor", "missing", anchor],
  ];
  return found.flatMap(([of, state, since]) =>
    since === null ? [] : [{ of, state, since: since.toISOString() }],
  );
}

/** Enqueues the verifications of nights in which no instance ran. */
export async function runMissedChecks(at: Date): Promise<void> {
  const missing = (await findAlarms(at)).filter(({ state }) => state === "missing").map(({ of }) => of);
  await runInTransaction(async (tx) => {
    if (missing.includes("ledger")) await enqueueLedgerCheck(tx);
    if (missing.includes("log")) await enqueueLogCheck(tx);
  });
}

/**
 * What the page of the ledger shows: the latest verification, null before the first; whether one is missing; and whether one database role
 * both owns and uses the ledger (`oneRole`), which then only triggers protect.
 */
export type LedgerStatus = { check: LedgerCheck | null; missing: boolean; oneRole: boolean };

/** The ledger as it was last verified. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function readLedgerStatus(actor: Actor): Promise<{ ok: true; ledger: LedgerStatus } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const [check, { missingSince }, oneRole] = await Promise.all([
    lastLedgerCheck(db()),
    ledgerVerificationState(currentTime()),
    ownsBooks((text) => db().execute(text)),
  ]);
  return { ok: true, ledger: { check, missing: missingSince !== null, oneRole } };
}

/**
 * Enqueues a verification of the ledger for an administrator, and records the request in the audit log. Refuses AUTH_REQUIRED,
 * ADMIN_REQUIRED.
 */
export async function verifyLedgerSoon(actor: Actor): Promise<{ ok: true } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  await runInTransaction(async (tx) => {
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "ledger_check_asked", at: currentTime() });
    await enqueueLedgerCheck(tx);
  });
  return { ok: true };
}
