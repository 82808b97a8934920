import { type Executor, runInTransaction, type Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { fourEyesRefusal } from "../payouts/four-eyes.ts";
import type { PayoutActor } from "../payouts/payouts.ts";
import { compareHalt, haltDigest, lastTurnedByLog, refuseAlteredHalt } from "../proof/sealed-halt.ts";
import { haltTable, type Payout } from "../schema/money.ts";

/**
 * Halts or resumes every outgoing step at once: while money is halted, no payout is approved or sent. Waits for steps in progress, so that
 * none takes effect after it returns. Repeating the current state changes nothing, except that a repeated halt drops a proposal to resume.
 * The operator's console resumes money with this function; administrators use `resumeMoney`. Halting always works: it also repairs a switch
 * that was altered in the database. Resuming such a switch throws HaltAltered.
 */
export function haltMoney(input: {
  on: boolean;
  reason: string;
  at: Date;
  by: AuditActor;
}): Promise<{ ok: true; changed: boolean }> {
  return runInTransaction(async (tx) => {
    const [row] = await tx.select().from(haltTable).for("update");
    if (row === undefined) throw new Error("payments: the halt switch has no row");
    const { on, reason, at, by } = input;
    const { altered, haltedByLog } = await compareHalt(tx);
    if (altered && !on) await refuseAlteredHalt(tx);
    if (altered && haltedByLog) return { ok: true, changed: await haltAsLogged(tx, row, { reason, at, by }) };
    if (row.halted === on && !altered)
      return { ok: true, changed: on && (await dropResume(tx, row, { at, by })) };
    await tx.update(haltTable).set({ halted: on, reason, changedBy: by.userId, changedAt: at, ...noResume });
    const data = { before: row.halted, after: on, ...(altered && { altered }) };
    await recordAuditEntry(
      tx,
      { by, action: on ? "money.halted" : "money.resumed", at, subject: haltSubject, data },
      haltDigest,
    );
    return { ok: true, changed: true };
  });
}

const haltSubject = { kind: "money", id: "halt" };
const noResume = { resumeBy: null, resumeAt: null, resumeReason: null };
type HaltRow = typeof haltTable.$inferSelect;

/** Drops the proposal to resume, because another administrator confirmed the halt. */
async function dropResume(tx: Tx, row: HaltRow, { at, by }: { at: Date; by: AuditActor }): Promise<boolean> {
  if (row.resumeBy === null) return false;
  await tx.update(haltTable).set(noResume);
  const data = { proposedBy: row.resumeBy };
  await recordAuditEntry(
    tx,
    { by, action: "money.resume_dropped", at, subject: haltSubject, data },
    haltDigest,
  );
  return true;
}

/**
 * Restores a halt that was altered in the database, without any proposal to resume. It keeps the time from the log, since that time decides
 * who may resume alone and which transfers left before the halt. The stored reason may be forged, so the new one replaces it.
 */
async function haltAsLogged(
  tx: Tx,
  row: HaltRow,
  { reason, at, by }: { reason: string; at: Date; by: AuditActor },
): Promise<true> {
  await tx
    .update(haltTable)
    .set({ halted: true, reason, changedBy: by.userId, changedAt: lastTurnedByLog, ...noResume });
  const data = { proposedBy: row.resumeBy, altered: true };
  await recordAuditEntry(
    tx,
    { by, action: "money.resume_dropped", at, subject: haltSubject, data },
    haltDigest,
  );
  return true;
}

/**
 * Resumes outgoing money by two administrators: the first proposes, another confirms. `alone` returns true if there is no other
 * administrator and was none since the halt began: then one decides alone. A proposal ends when its author loses the administrator's right;
 * its author may correct its reason. Refuses FOUR_EYES_RELATED. Throws HaltAltered if the switch differs from its last audit entry, because
 * its proposal may be forged.
 */
export function resumeMoney(input: {
  reason: string;
  alone: (tx: Tx, haltedAt: Date | null) => Promise<boolean>;
  at: Date;
  person: (tx: Tx) => Promise<PayoutActor>;
}): Promise<{ ok: true; changed: boolean; halted: boolean } | { ok: false; code: "FOUR_EYES_RELATED" }> {
  return runInTransaction(async (tx) => {
    const [row] = await tx.select().from(haltTable).for("update");
    if (row === undefined) throw new Error("payments: the halt switch has no row");
    await refuseAlteredHalt(tx);
    if (!row.halted) return { ok: true, changed: false, halted: false };
    const { reason, at } = input;
    const by = await input.person(tx);
    const { resumeBy, resumeAt } = row;
    const proposed = resumeBy !== null && resumeAt !== null && (await by.keepsRight(resumeBy, resumeAt));
    const alone = await input.alone(tx, row.changedAt);
    if (!alone && (!proposed || resumeBy === by.userId)) {
      if (proposed && row.resumeReason === reason) return { ok: true, changed: false, halted: true };
      await tx.update(haltTable).set({ resumeBy: by.userId, resumeAt: at, resumeReason: reason });
      await recordAuditEntry(
        tx,
        { by, action: "money.resume_proposed", at, subject: haltSubject, data: { replaces: resumeBy } },
        haltDigest,
      );
      return { ok: true, changed: true, halted: true };
    }
    if (!alone && proposed && fourEyesRefusal(resumeBy, by) !== null) {
      return { ok: false, code: "FOUR_EYES_RELATED" };
    }
    await tx.update(haltTable).set({ halted: false, reason, changedBy: by.userId, changedAt: at });
    const data = { before: true, after: false, proposedBy: alone ? null : resumeBy };
    await recordAuditEntry(tx, { by, action: "money.resumed", at, subject: haltSubject, data }, haltDigest);
    return { ok: true, changed: true, halted: false };
  });
}

/**
 * Halts all outgoing money of a database that was just restored: money may have left after the backup was taken, so the ledger may not know
 * of it. If money was halted before, its reason is kept below this one. Only administrators or the operator resume it.
 */
export async function haltAfterRestore(tx: Tx, { reason, at }: { reason: string; at: Date }): Promise<void> {
  const before = await readHaltState(tx);
  const reasons = before.halted && before.reason !== null ? `${reason}\n${before.reason}` : reason;
  const turned = { halted: true, reason: reasons, changedBy: null, changedAt: at };
  await tx.insert(haltTable).values(turned).onConflictDoUpdate({ target: haltTable.onlyRow, set: turned });
  const data = { before: before.halted, after: true, restored: true };
  await recordAuditEntry(
    tx,
    { by: { userId: null }, action: "money.halted", at, subject: haltSubject, data },
    haltDigest,
  );
}

/** The state of the switch: since when, by whom and why; those are null if it was never changed. */
export type HaltState = {
  halted: boolean;
  reason: string | null;
  changedBy: number | null;
  changedAt: Date | null;
  /** The proposal to resume: by whom, since when and why; null while there is none. */
  resume: { by: number; at: Date; reason: string | null } | null;
};

/** The state of the switch with its details. A missing row counts as halted. */
export async function readHaltState(exec: Executor): Promise<HaltState> {
  const [row] = await exec.select().from(haltTable);
  if (row === undefined)
    return { halted: true, reason: null, changedBy: null, changedAt: null, resume: null };
  const { halted, reason, changedBy, changedAt, resumeBy, resumeAt } = row;
  const resume =
    resumeBy === null || resumeAt === null ? null : { by: resumeBy, at: resumeAt, reason: row.resumeReason };
  return { halted, reason, changedBy, changedAt, resume };
}

/** True while outgoing money is halted, for display. */
export async function isMoneyHalted(exec: Executor): Promise<boolean> {
  const [row] = await exec.select({ halted: haltTable.halted }).from(haltTable);
  return row?.halted ?? true;
}

/**
 * The same for a step that depends on the answer: the switch cannot change until the step's transaction ends. Throws HaltAltered if it
 * differs from its last audit entry.
 */
export async function isOutgoingStopped(tx: Tx): Promise<boolean> {
  const [row] = await tx.select({ halted: haltTable.halted }).from(haltTable).for("share");
  if (row === undefined) return true;
  await refuseAlteredHalt(tx);
  return row.halted;
}

/**
 * True if `by` had claimed the transfer before the halt: it may have left then, so it can be recorded as sent while money is halted. The
 * switch cannot change until the step's transaction ends.
 */
export async function leftBeforeHalt(
  tx: Tx,
  { claimedBy, claimedAt }: Payout,
  by: { userId: number },
): Promise<boolean> {
  const [row] = await tx.select().from(haltTable).for("share");
  if (row?.changedAt == null || claimedAt === null || claimedBy !== by.userId) return false;
  return claimedAt < row.changedAt;
}
