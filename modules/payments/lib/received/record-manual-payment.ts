import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { AuditActor } from "#modules/audit";
import { heldAmount, lockReference, readReceivedAmount } from "../ledger/balances.ts";
import type { FourEyesRefusal } from "../payouts/four-eyes.ts";
import type { Reference } from "../provider/provider-types.ts";
import { type Payout, paymentsTable } from "../schema/money.ts";
import { plainReference } from "./bank-reference.ts";
import { bookPayment, splitPayment } from "./record-payment.ts";

export type ManualPayment = {
  reference: Reference;
  /** The amount received, in ₮. */
  amount: number;
  /** As in `recordPayments`: the gross amount of a live trade in ₮, 0 for an ended one. */
  owed: number;
  /** The reference on the payer's slip or on Midman's statement; each counts once. */
  bankReference: string;
  proposedBy: number;
  /** When it was proposed. A payment made later is not the confirmed money (`recordPayments`). */
  proposedAt: Date;
  confirmedBy: number;
  /** Ids of administrators who count as the same reviewer as `confirmedBy` under the four-eyes rule. */
  relatedAdminIds: readonly number[];
  at: Date;
  by?: AuditActor;
};

export type RecordedManualPayment =
  | { ok: true; repeated: boolean; paymentId: number; held: number; excess: number; refunds: Payout[] }
  | {
      ok: false;
      code: FourEyesRefusal | "AMOUNT_INVALID" | "BANK_REFERENCE_USED" | "PAYMENT_ALREADY_BOOKED";
    };

/**
 * Books money that two administrators saw while the provider could not be reached. `recordPayments` matches the provider's later PAID row
 * of the same reference and amount with it instead of booking it again. Refuses, in this order: AMOUNT_INVALID (not a whole number of ₮);
 * FOUR_EYES_REQUIRED (proposed and confirmed by one administrator); FOUR_EYES_RELATED (by two who count as the same reviewer);
 * BANK_REFERENCE_USED (booked with another trade or amount; the same data returns ok, repeated); PAYMENT_ALREADY_BOOKED (the provider
 * already reported this amount).
 */
export async function recordManualPayment(tx: Tx, input: ManualPayment): Promise<RecordedManualPayment> {
  const { reference, amount, at, proposedBy, confirmedBy } = input;
  const by = input.by ?? { userId: confirmedBy };
  const handReference = plainReference(input.bankReference);
  if (!Number.isSafeInteger(amount) || amount < 1) return { ok: false, code: "AMOUNT_INVALID" };
  if (proposedBy === confirmedBy) return { ok: false, code: "FOUR_EYES_REQUIRED" };
  if (input.relatedAdminIds.includes(proposedBy)) return { ok: false, code: "FOUR_EYES_RELATED" };
  await lockReference(tx, reference);
  const earlier = await findManualPayment(tx, handReference);
  if (earlier !== undefined) {
    if (earlier.reference !== reference || earlier.amount !== amount)
      return { ok: false, code: "BANK_REFERENCE_USED" };
    return {
      ok: true,
      repeated: true,
      paymentId: earlier.id,
      held: await heldAmount(tx, reference),
      excess: 0,
      refunds: [],
    };
  }
  if (await reportedByProvider(tx, reference, amount)) return { ok: false, code: "PAYMENT_ALREADY_BOOKED" };
  const parts = splitPayment(amount, input.owed, await readReceivedAmount(tx, reference));
  const payment = {
    reference,
    amount,
    paidAt: at,
    bookedAt: at,
    handReference,
    proposedBy,
    proposedAt: input.proposedAt,
    confirmedBy,
    ...parts,
  };
  const done = await bookPayment(tx, { payment, at, by });
  // Another trade's booking took the bank reference while this one waited for the unique index.
  if (done === undefined) return { ok: false, code: "BANK_REFERENCE_USED" };
  return {
    ok: true,
    repeated: false,
    paymentId: done.paymentId,
    held: await heldAmount(tx, reference),
    excess: done.excess,
    refunds: done.refund === null ? [] : [done.refund],
  };
}

async function findManualPayment(tx: Tx, handReference: string) {
  const [row] = await tx.select().from(paymentsTable).where(eq(paymentsTable.handReference, handReference));
  return row;
}

/** True if a PAID row of this amount is booked that matches no manual confirmation: it is the same money. */
async function reportedByProvider(tx: Tx, reference: Reference, amount: number): Promise<boolean> {
  const same = and(
    eq(paymentsTable.reference, reference),
    eq(paymentsTable.amount, amount),
    isNull(paymentsTable.handReference),
    // A payment that was undone does not count: the money confirmed now is another payment.
    isNull(paymentsTable.takenBackAt),
    isNull(paymentsTable.sameAs),
  );
  return (await tx.$count(paymentsTable, same)) > 0;
}
