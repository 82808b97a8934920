import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { AuditActor } from "#modules/audit";
import { reverseJournal } from "../ledger/reverse-journal.ts";
import { voidLivePayouts } from "../payouts/withdraw-approval.ts";
import { type RecordedPayments, recordPayments } from "../received/record-payments.ts";
import { journalsTable, type PayoutSource, paymentsTable } from "../schema/money.ts";
import { findBookableAmount } from "./hold-reasons.ts";
import type { Hold } from "./schema.ts";

type HoldStep = { at: Date; by: AuditActor };

/**
 * Books the row of a hold that two administrators confirmed as real money of this trade. `owed` and `endedAt` are as in `recordPayments`.
 * Throws if the row names no amount that can be booked; `resolveHold` refuses that decision before.
 */
export async function bookHeldRow(
  tx: Tx,
  hold: Hold,
  { owed, endedAt, at, by }: HoldStep & { owed: number; endedAt: Date | null },
): Promise<RecordedPayments> {
  const { reference, facts } = hold;
  const amount = findBookableAmount(hold);
  if (amount === null) throw new Error(`payments: hold ${hold.id} names no sum that can be booked`);
  const { providerPaymentId = "", invoiceId = "", paidAt, wallet, payerBank } = facts;
  const row = {
    providerPaymentId,
    invoiceId,
    amount,
    paidAt: paidAt === undefined ? at : new Date(paidAt),
    ...(wallet && { wallet }),
    ...(payerBank && { payerBank }),
  };
  return recordPayments(tx, { reference, rows: [row], owed, endedAt, at, by });
}

/**
 * Undoes the booking of a payment with a correcting journal: the provider took it back (`taken_back`), or it is the same money as a manual
 * confirmation (`same_payment`). Voids the payouts and refunds that were due from it. Refuses NOT_FOUND if the payment is not one of this
 * trade, and MONEY_ALREADY_SENT once any of its money has left or is in doubt; the caller must then roll its transaction back.
 */
export async function undoHeldPayment(
  tx: Tx,
  { reference, facts }: Hold,
  outcome: "taken_back" | "same_payment",
  { at, by }: HoldStep,
): Promise<{ ok: true } | { ok: false; code: "MONEY_ALREADY_SENT" | "NOT_FOUND" }> {
  const { paymentId, manualPaymentId } = facts;
  const [payment] = await tx
    .select()
    .from(paymentsTable)
    .where(eq(paymentsTable.id, paymentId ?? 0));
  if (payment === undefined || payment.reference !== reference) return { ok: false, code: "NOT_FOUND" };
  const sources: PayoutSource[] = [
    ...(payment.toEscrow > 0 ? (["escrow"] as const) : []),
    ...(payment.toSuspense > 0 ? ([`suspense:${payment.id}`] as const) : []),
  ];
  for (const source of sources) {
    const voided = await voidLivePayouts(tx, { reference, source, reason: outcome, at, by });
    if (!voided.ok) return { ok: false, code: voided.code };
  }
  const [journal] = await tx
    .select({ id: journalsTable.id })
    .from(journalsTable)
    .where(eq(journalsTable.event, `payment:${payment.id}`));
  if (journal === undefined) throw new Error(`payments: payment ${payment.id} has no journal`);
  await reverseJournal(tx, journal.id, at);
  const end = outcome === "taken_back" ? { takenBackAt: at } : { sameAs: manualPaymentId ?? null };
  await tx.update(paymentsTable).set(end).where(eq(paymentsTable.id, payment.id));
  return { ok: true };
}
