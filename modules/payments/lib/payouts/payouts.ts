import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { AuditActionOf } from "#locales";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { balanceOf, lockReference } from "../ledger/balances.ts";
import { sourceAccount } from "../ledger/ledger.ts";
import { digestOfTransfer, refuseAlteredTransfer } from "../proof/sealed-transfers.ts";
import type { Reference } from "../provider/provider-types.ts";
import { type Payout, type PayoutState, payoutsTable } from "../schema/money.ts";

/**
 * A person who acts: approvers and senders are recorded by id, so nobody without one may be either. `hands`: everybody they are one
 * pair of eyes with, as the caller knows. `keepsRight`: whether somebody has been an administrator ever since they acted, read under
 * the locks of the step.
 */
export type PayoutActor = AuditActor & {
  userId: number;
  hands: readonly number[];
  keepsRight: (userId: number, since: Date) => Promise<boolean>;
};

/** Every reason a step of a payout or refund may be refused; none of them wrote anything. */
export type PayoutRefusal =
  /** There is no such record. */
  | "PAYOUT_NOT_FOUND"
  /** It stands otherwise than the step needs, or was done with other data: look at `current`. */
  | "PAYOUT_CONFLICT"
  /** More than the source holds. */
  | "PAYOUT_EXCEEDS_HELD"
  /** The unsent records of the source do not add up to what it holds. */
  | "PAYOUT_NOT_WHOLE"
  /** Another person is making this transfer. */
  | "PAYOUT_CLAIMED"
  /** Other money of this reference is in doubt; resolve that first. */
  | "PAYOUT_UNKNOWN_OPEN"
  /** The trade is on hold for a reason that is being checked (design §4). */
  | "TRADE_ON_HOLD"
  /** Where to send is not known. */
  | "DESTINATION_REQUIRED"
  /** The bank's number is needed here. */
  | "BANK_REFERENCE_REQUIRED"
  /** The bank's number belongs to another transfer. */
  | "BANK_REFERENCE_USED"
  /** The approver may not be the sender of so much, nor be who named the account in its owner's place. */
  | "FOUR_EYES_REQUIRED"
  /** The two are one pair of eyes: one was lately made an administrator by the other, or both by a third. */
  | "FOUR_EYES_RELATED"
  /** Who approved it is no administrator any more: it has to be approved again. */
  | "APPROVAL_LAPSED"
  /** Its account was corrected within the last three hours. */
  | "ACCOUNT_JUST_CORRECTED"
  /** All outgoing money is stopped. */
  | "MONEY_HALTED"
  /** No whole tugrik. */
  | "AMOUNT_INVALID";

type RefusedPayoutStep<Code extends PayoutRefusal = PayoutRefusal> = {
  ok: false;
  code: Code;
  current?: Payout;
  /** The text that says why, where the code's own would not say enough. */
  says?: "admin.payout.accountChanged";
};
/** `repeated`: the step had taken effect before and nothing was changed now. */
export type PayoutRecordResult<Code extends PayoutRefusal = PayoutRefusal> =
  | { ok: true; payout: Payout; repeated: boolean }
  | RefusedPayoutStep<Code>;

/** The record as it stands after waiting for every other step of its reference; undefined when there is none. */
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

/** Writes a step and its audit entry with before and after; bank numbers enter the log by their last four only. */
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

/** What the audit log keeps of a record: no free text and no whole account number, since it keeps them for ever. */
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

/** True while somebody else is making the transfer: it is neither sent nor taken back over their head. */
export function claimedByAnother({ claimedBy }: Payout, by: PayoutActor): boolean {
  return claimedBy !== null && claimedBy !== by.userId;
}

/** The last four characters of an account's number, and never more than half of it. */
export function lastFour(accountNumber: string): string {
  const shown = Math.min(4, Math.floor(accountNumber.length / 2));
  return accountNumber.slice(accountNumber.length - shown);
}

const unsentStates: PayoutState[] = ["due", "approved", "unknown"];

/** True while money of any of these records is still to be sent, or nobody knows whether it was. */
export function isMoneyStillToSend(records: readonly Payout[]): boolean {
  return records.some(({ state }) => unsentStates.includes(state));
}

/** What the source of a record holds, and the records of it that have not been posted. */
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

/** True while any money of the reference is in doubt: until a person reconciles it, it holds everything. */
export async function isMoneyInDoubt(exec: Executor, reference: Reference): Promise<boolean> {
  const doubted = and(eq(payoutsTable.reference, reference), eq(payoutsTable.state, "unknown"));
  return (await exec.$count(payoutsTable, doubted)) > 0;
}

/** One record, or null. */
export async function findPayout(exec: Executor, id: number): Promise<Payout | null> {
  const [row] = await exec.select().from(payoutsTable).where(eq(payoutsTable.id, id));
  return row ?? null;
}

/** Every payout and refund that one reference, or several, ever had, oldest first, void ones included. */
export function payoutsOf(exec: Executor, of: Reference | Reference[]): Promise<Payout[]> {
  const which = Array.isArray(of) ? inArray(payoutsTable.reference, of) : eq(payoutsTable.reference, of);
  return exec.select().from(payoutsTable).where(which).orderBy(asc(payoutsTable.id));
}
