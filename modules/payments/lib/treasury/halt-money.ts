import { type Executor, runInTransaction, type Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { fourEyesRefusal } from "../payouts/four-eyes.ts";
import type { PayoutActor } from "../payouts/payouts.ts";
import { compareHalt, haltDigest, lastTurnedByLog, refuseAlteredHalt } from "../proof/sealed-halt.ts";
import { haltTable, type Payout } from "../schema/money.ts";

/**
 * Stops or resumes every outgoing step at once: while on, no approval and no sending goes through. It waits for the steps
 * under way, so that when it answers none is left behind it. Setting what is set changes nothing, but a halt that is confirmed ends a
 * proposal to resume. The operator's console resumes by this; administrators by `resumeMoney`. Halting always works: a switch that was altered
 * beside the log is put back by it. Resuming it throws HaltAltered.
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

/** Money stays halted: what another proposed is over. */
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
 * Puts back a halt that was altered beside the log, without any proposal to resume. It stays as old as the log says: who decides alone,
 * and which transfers left before it, depends on that. The stored reason may be forged, so the new one replaces it.
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
 * Lets money go out again as two administrators decide it: the first proposes, another confirms. `alone` says that there is no other
 * administrator, nor was one since the halt began: then they decide at once. A proposal dies with its giver's right, and its giver may correct its reason. Refuses
 * FOUR_EYES_RELATED; throws HaltAltered where the switch is not as the log last told, for its proposal may be nobody's.
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
 * Stops every outgoing step of a database that was just restored: money may have left since, of which its books do not know. A halt that
 * stood already stays, with its reason below this one. Only an administrator's press, or the operator's, ends it.
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

/** How the switch stands: since when, by whom and why; those are null while nobody has ever turned it. */
export type HaltState = {
  halted: boolean;
  reason: string | null;
  changedBy: number | null;
  changedAt: Date | null;
  /** Who proposes that money goes out again, since when and why; null while nobody does. */
  resume: { by: number; at: Date; reason: string | null } | null;
};

/** The same with its circumstances. No row counts as halted. */
export async function readHaltState(exec: Executor): Promise<HaltState> {
  const [row] = await exec.select().from(haltTable);
  if (row === undefined)
    return { halted: true, reason: null, changedBy: null, changedAt: null, resume: null };
  const { halted, reason, changedBy, changedAt, resumeBy, resumeAt } = row;
  const resume =
    resumeBy === null || resumeAt === null ? null : { by: resumeBy, at: resumeAt, reason: row.resumeReason };
  return { halted, reason, changedBy, changedAt, resume };
}

/** True while outgoing money is stopped, for pages to show. */
export async function isMoneyHalted(exec: Executor): Promise<boolean> {
  const [row] = await exec.select({ halted: haltTable.halted }).from(haltTable);
  return row?.halted ?? true;
}

/**
 * The same for a step that acts on the answer: the switch cannot be turned until the step's transaction ends. Throws HaltAltered where it
 * is not as the log last told.
 */
export async function isOutgoingStopped(tx: Tx): Promise<boolean> {
  const [row] = await tx.select({ halted: haltTable.halted }).from(haltTable).for("share");
  if (row === undefined) return true;
  await refuseAlteredHalt(tx);
  return row.halted;
}

/**
 * True for a transfer whose maker had claimed it before the halt: it may have left, and that it did is recorded while money is halted.
 * The switch cannot be turned until the step's transaction ends.
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
