import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { type JournalLine, postJournal } from "../ledger/ledger.ts";
import { type FourEyesRefusal, fourEyesRefusal } from "../payouts/four-eyes.ts";
import type { PayoutActor } from "../payouts/payouts.ts";
import { plainReference } from "../received/bank-reference.ts";
import { type Settlement, settlementsTable } from "../schema/settlements.ts";

type SettlementActor = AuditActor & { userId: number };

/**
 * The settlement entered under a bank reference, posted or waiting; undefined when there is none. Locks the bank reference until `tx` ends:
 * others who enter, post or discard under it wait.
 */
export async function lockSettlement(tx: Tx, bankReference: string): Promise<Settlement | undefined> {
  const plain = plainReference(bankReference);
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`payments.settlement:${plain}`}, 0))`);
  const [row] = await tx
    .select()
    .from(settlementsTable)
    .where(and(eq(settlementsTable.bankReference, plain), isNull(settlementsTable.discardedAt)));
  return row;
}

/** The figures of a settlement in ₮: `received` arrived at Midman's bank, QPay kept `cost`. */
export type SettlementFigures = { bankReference: string; received: number; cost: number };

/**
 * Enters a settlement for a second administrator to confirm; `replaces` is the proposer's own entry that this one corrects. The caller has
 * locked the bank reference (`lockSettlement`) and checked the figures: the database throws on less than 1 ₮ received or a cost below zero.
 */
export async function proposeSettlement(
  tx: Tx,
  input: SettlementFigures & { replaces?: Settlement | undefined; at: Date; by: SettlementActor },
): Promise<void> {
  const { received, cost, replaces, at, by } = input;
  if (replaces !== undefined) {
    const aside = { discardedBy: by.userId, discardedAt: at };
    await tx.update(settlementsTable).set(aside).where(eq(settlementsTable.id, replaces.id));
  }
  const bankReference = plainReference(input.bankReference);
  const [made] = await tx
    .insert(settlementsTable)
    .values({ bankReference, received, cost, proposedBy: by.userId, proposedAt: at })
    .returning({ id: settlementsTable.id });
  if (made === undefined) throw new Error("settlement: nothing was entered");
  // Every administrator can read the log, and the second one must enter the figures independently, so the entry contains only the ids of
  // the rows.
  await recordAuditEntry(tx, {
    by,
    action: "settlement.proposed",
    at,
    subject: { kind: "settlement", id: made.id },
    data: { before: replaces?.id ?? null, after: made.id },
  });
}

/**
 * Posts a settlement that a second administrator entered with the same figures. One bank reference is one settlement. The caller has locked
 * it and passes the result of `lockSettlement`. Refuses FOUR_EYES_REQUIRED (entered twice by one administrator) and FOUR_EYES_RELATED (by
 * two who count as the same reviewer).
 */
export async function recordSettlement(
  tx: Tx,
  { settlement, at, by }: { settlement: Settlement; at: Date; by: PayoutActor },
): Promise<{ ok: true; repeated: boolean } | { ok: false; code: FourEyesRefusal }> {
  const { id, bankReference, received, cost, proposedBy, journalId } = settlement;
  if (journalId !== null) return { ok: true, repeated: true };
  const reviewerRefusal = fourEyesRefusal(proposedBy, by);
  if (reviewerRefusal !== null) return { ok: false, code: reviewerRefusal };
  const lines: JournalLine[] = [
    { account: "bank", debit: received },
    { account: "expense:qpay", debit: cost },
    { account: "provider:qpay", credit: received + cost },
  ];
  const event = `settlement:${bankReference}`;
  const posted = await postJournal(tx, { event, kind: "settlement", reference: null, at, lines });
  await tx
    .update(settlementsTable)
    .set({ confirmedBy: by.userId, confirmedAt: at, journalId: posted.journalId })
    .where(eq(settlementsTable.id, id));
  await recordAuditEntry(tx, {
    by,
    action: "settlement.recorded",
    at,
    subject: { kind: "journal", id: posted.journalId },
    data: { settlement: id, bankReference, received, cost, proposedBy, confirmedBy: by.userId },
  });
  return { ok: true, repeated: false };
}

/**
 * Discards a waiting settlement; its bank reference can then be entered again. A repeat changes nothing, and the first reason is kept.
 * Refuses NOT_FOUND; PROPOSAL_CHANGED (posted, or replaced by its proposer).
 */
export async function discardSettlement(
  tx: Tx,
  { id, reason, at, by }: { id: number; reason: string; at: Date; by: SettlementActor },
): Promise<{ ok: true; changed: boolean } | { ok: false; code: "NOT_FOUND" | "PROPOSAL_CHANGED" }> {
  const [seen] = await tx.select().from(settlementsTable).where(eq(settlementsTable.id, id));
  if (seen === undefined) return { ok: false, code: "NOT_FOUND" };
  await lockSettlement(tx, seen.bankReference);
  // Reads the row again: under the lock nobody else can change it.
  const [row = seen] = await tx.select().from(settlementsTable).where(eq(settlementsTable.id, id));
  if (row.discardReason !== null) return { ok: true, changed: false };
  if (row.confirmedAt !== null || row.discardedAt !== null) return { ok: false, code: "PROPOSAL_CHANGED" };
  await tx
    .update(settlementsTable)
    .set({ discardedBy: by.userId, discardedAt: at, discardReason: reason })
    .where(eq(settlementsTable.id, id));
  await recordAuditEntry(tx, {
    by,
    action: "settlement.laid_aside",
    at,
    subject: { kind: "settlement", id },
    data: { proposedBy: row.proposedBy, before: "proposed", after: "laid_aside" },
  });
  return { ok: true, changed: true };
}
