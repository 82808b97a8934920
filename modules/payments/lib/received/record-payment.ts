import type { Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { postJournal } from "../ledger/ledger.ts";
import { insertDuePayout } from "../payouts/create-payout.ts";
import type { Reference } from "../provider/provider-types.ts";
import { type Payout, paymentsTable } from "../schema/money.ts";

/** A refund from suspense is due in three hours, like a payout. */
const REFUND_DUE_MS = 3 * 60 * 60 * 1000;

export type NewPayment = typeof paymentsTable.$inferInsert;
export type BookedPayment = { paymentId: number; excess: number; refund: Payout | null };

/** Splits a payment: the trade's escrow gets at most what is still owed, suspense gets the rest. All amounts in ₮. */
export function splitPayment(
  amount: number,
  owed: number,
  received: number,
): { toEscrow: number; toSuspense: number } {
  const toEscrow = Math.min(amount, Math.max(0, owed - received));
  return { toEscrow, toSuspense: amount - toEscrow };
}

/**
 * Writes one payment with its journal, and the due refund of what the trade does not owe. Undefined if the payment is already booked. The
 * caller holds the reference's lock.
 */
export async function bookPayment(
  tx: Tx,
  input: { payment: NewPayment; at: Date; by: AuditActor },
): Promise<BookedPayment | undefined> {
  const { payment, at, by } = input;
  const [row] = await tx
    .insert(paymentsTable)
    .values(payment)
    .onConflictDoNothing()
    .returning({ id: paymentsTable.id });
  if (row === undefined) return undefined;
  await postJournal(tx, {
    event: `payment:${row.id}`,
    kind: "payment",
    reference: payment.reference,
    paymentId: row.id,
    at,
    lines: [
      { account: "provider:qpay", debit: payment.amount },
      { account: `escrow:${payment.reference}`, credit: payment.toEscrow },
      { account: `suspense:${row.id}`, credit: payment.toSuspense },
    ],
  });
  await recordAuditEntry(tx, {
    by,
    action: "payment.booked",
    at,
    subject: { kind: "payment", id: row.id },
    data: {
      reference: payment.reference,
      amount: payment.amount,
      toEscrow: payment.toEscrow,
      toSuspense: payment.toSuspense,
      providerPaymentId: payment.providerPaymentId ?? null,
      handReference: payment.handReference ?? null,
      proposedBy: payment.proposedBy ?? null,
      confirmedBy: payment.confirmedBy ?? null,
    },
  });
  const refund = await refundSuspense(tx, {
    reference: payment.reference,
    paymentId: row.id,
    amount: payment.toSuspense,
    at,
    by,
  });
  return { paymentId: row.id, excess: payment.toSuspense, refund };
}

async function refundSuspense(
  tx: Tx,
  input: { reference: Reference; paymentId: number; amount: number; at: Date; by: AuditActor },
): Promise<Payout | null> {
  if (input.amount === 0) return null;
  return insertDuePayout(tx, {
    reference: input.reference,
    kind: "refund",
    source: `suspense:${input.paymentId}`,
    amount: input.amount,
    fee: 0,
    recipientId: null,
    dueAt: new Date(input.at.getTime() + REFUND_DUE_MS),
    at: input.at,
    by: input.by,
  });
}
