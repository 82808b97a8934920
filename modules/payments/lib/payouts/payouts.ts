import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { lastFour } from "#format";
import type { AuditActionOf } from "#locales";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { balanceOf, lockReference } from "../ledger/balances.ts";
import { sourceAccount } from "../ledger/ledger.ts";
import { digestOfTransfer, refuseAlteredTransfer } from "../proof/sealed-transfers.ts";
import type { Reference } from "../provider/provider-types.ts";
import { type Payout, type PayoutState, payoutsTable } from "../schema/money.ts";

/**
 * The administrator who acts; approvers and senders are recorded by id. `relatedAdminIds`: administrators who count as the same reviewer under the
 * four-eyes rule. `keepsRight`: whether an administrator has kept the right since a given time, read under the locks of the step.
 */
export type PayoutActor = AuditActor & {
  userId: number;
  relatedAdminIds: readonly number[];
  keepsRight: (userId: number, since: Date) => Promise<boolean>;
};

/** Every reason for which a step of a payout or refund is refused; a refused step writes nothing. */
export type PayoutRefusal =
  /** There is no such record. */
  | "PAYOUT_NOT_FOUND"
  /** Its state does not allow the step, or the step was done with other data: see `current`. */
  | "PAYOUT_CONFLICT"
  /** More than the source holds. */
  | "PAYOUT_EXCEEDS_HELD"
  /** The unsent records of the source do not add up to what it holds. */
  | "PAYOUT_NOT_WHOLE"
  /** Another administrator has claimed this transfer. */
  | "PAYOUT_CLAIMED"
  /** Another transfer of this reference is in doubt and must be resolved first. */
  | "PAYOUT_UNKNOWN_OPEN"
  /** The trade is on hold for a reason that is being checked. */
  | "TRADE_ON_HOLD"
  /** The destination is not known. */
  | "DESTINATION_REQUIRED"
  /** The step needs the bank's reference. */
  | "BANK_REFERENCE_REQUIRED"
  /** The bank's reference belongs to another transfer. */
  | "BANK_REFERENCE_USED"
  /**
   * The sender of so large a total must be another administrator than the approver; the approver another than the one who entered the
   * account.
   */
  | "FOUR_EYES_REQUIRED"
  /** The two administrators count as the same reviewer: one recently made the other an administrator, or a third made both. */
  | "FOUR_EYES_RELATED"
  /** The approver is no longer an administrator: the payout must be approved again. */
  | "APPROVAL_LAPSED"
  /** Its account was corrected within the last three hours. */
  | "ACCOUNT_JUST_CORRECTED"
  /** All outgoing money is halted. */
  | "MONEY_HALTED"
  /** The amount is not a whole number of ₮. */
  | "AMOUNT_INVALID";

type RefusedPayoutStep<Code extends PayoutRefusal = PayoutRefusal> = {
  ok: false;
  code: Code;
  current?: Payout;
  /** Key of a text that explains the refusal better than its code's own text. */
  textKey?: "admin.payout.accountChanged";
};
/** A payout after a step. `repeated`: the step had already taken effect, and nothing changed now. */
export type PayoutStepDone = { ok: true; payout: Payout; repeated: boolean };
export type PayoutRecordResult<Code extends PayoutRefusal = PayoutRefusal> =
  | PayoutStepDone
  | RefusedPayoutStep<Code>;

/**
 * The payout after waiting for every other step of its reference; undefined if there is none. Throws RecordAltered for an altered payout.
 */
export async function lockPayout(tx: Tx, id: number): Promise<Payout | undefined> {
  const [seen] = await tx
    .select({ reference: payoutsTable.reference })
    .from(payoutsTable)
    .where(eq(payoutsTable.id, id));
  if (seen === undefined) return undefined;
  await lockReference(tx, seen.reference);
  const [locked] = await tx.select().from(payoutsTable).where(eq(payoutsTable.id, id)).for("update");
  if (locked !== undefined) await refuseAlteredTransfer(tx, locked.id);
  return locked;
}

/** Writes a step and its audit entry with the state before and after. Of account numbers the log gets only the last four characters. */
export async function recordPayoutStep(
  tx: Tx,
  before: Payout,
  change: Partial<Payout>,
  entry: { action: AuditActionOf<"payout"> & AuditActionOf<"refund">; by: AuditActor; at: Date },
): Promise<Payout> {
  const [after] = await tx.update(payoutsTable).set(change).where(eq(payoutsTable.id, before.id)).returning();
  if (after === undefined) throw new Error(`payout ${before.id} is gone`);
  const { id, kind, reference } = before;
  const data = { reference, before: auditedPayoutFields(before), after: auditedPayoutFields(after) };
  await recordAuditEntry(
    tx,
    { by: entry.by, action: `${kind}.${entry.action}`, at: entry.at, subject: { kind, id }, data },
    digestOfTransfer(id),
  );
  return after;
}

/** The fields of a payout that the audit log keeps: no free text and no whole account number, because the log keeps them permanently. */
export function auditedPayoutFields(payout: Payout): Record<string, unknown> {
  const { state, source, amount, fee, recipientId, approvedBy, claimedBy, sentBy, bankReference } = payout;
  const account = payout.destination === null ? null : lastFour(payout.destination.accountNumber);
  const { namedBy, firstApprovedBy, correctedAt } = payout;
  return {
    state,
    source,
    amount,
    fee,
    recipientId,
    namedBy,
    ...(correctedAt !== null && { correctedAt: correctedAt.toISOString() }),
    ...(firstApprovedBy !== null && { firstApprovedBy }),
    approvedBy,
    claimedBy,
    sentBy,
    bankReference,
    account,
  };
}

/** True while another administrator has claimed the transfer: only they may send it or withdraw its approval. */
export function claimedByAnother({ claimedBy }: Payout, by: PayoutActor): boolean {
  return claimedBy !== null && claimedBy !== by.userId;
}

const unsentStates: PayoutState[] = ["due", "approved", "unknown"];

/** True if money of any of these payouts is still to be sent, or if it is unknown whether it was. */
export function isMoneyStillToSend(records: readonly Payout[]): boolean {
  return records.some(({ state }) => unsentStates.includes(state));
}

/** The balance of a payout's source (`holds`), and the total of its payouts that are not posted (`promised`), in ₮. */
export async function readSourceTotals(
  tx: Tx,
  of: Pick<Payout, "reference" | "source">,
): Promise<{ holds: number; promised: number }> {
  const rows = await tx
    .select({ amount: payoutsTable.amount, fee: payoutsTable.fee })
    .from(payoutsTable)
    .where(
      and(
        eq(payoutsTable.reference, of.reference),
        eq(payoutsTable.source, of.source),
        inArray(payoutsTable.state, unsentStates),
        isNull(payoutsTable.sentAt),
      ),
    );
  const promised = rows.reduce((total, row) => total + row.amount + row.fee, 0);
  return { holds: await balanceOf(tx, sourceAccount(of.reference, of.source)), promised };
}

/**
 * True while any transfer of the reference is in doubt: until an administrator resolves it, all outgoing money of the reference is blocked.
 */
export async function isMoneyInDoubt(exec: Executor, reference: Reference): Promise<boolean> {
  const doubted = and(eq(payoutsTable.reference, reference), eq(payoutsTable.state, "unknown"));
  return (await exec.$count(payoutsTable, doubted)) > 0;
}

/** One payout or refund; null when there is none. */
export async function findPayout(exec: Executor, id: number): Promise<Payout | null> {
  const [row] = await exec.select().from(payoutsTable).where(eq(payoutsTable.id, id));
  return row ?? null;
}

/** Every payout and refund that one or several references ever had, oldest first, void ones included. */
export function payoutsOf(exec: Executor, of: Reference | Reference[]): Promise<Payout[]> {
  const which = Array.isArray(of) ? inArray(payoutsTable.reference, of) : eq(payoutsTable.reference, of);
  return exec.select().from(payoutsTable).where(which).orderBy(asc(payoutsTable.id));
}

/** Those of these references of which money is still to be sent, or of which it is unknown whether it was. */
export async function findUnsentReferences(exec: Executor, of: Reference[]): Promise<Set<Reference>> {
  if (of.length === 0) return new Set();
  const rows = await exec
    .selectDistinct({ reference: payoutsTable.reference })
    .from(payoutsTable)
    .where(and(inArray(payoutsTable.reference, of), inArray(payoutsTable.state, unsentStates)));
  return new Set(rows.map(({ reference }) => reference));
}
