import { asc, eq, inArray, or, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { AuditActor } from "#modules/audit";
import { heldAmount, lockReference } from "../ledger/balances.ts";
import type { PaidRow, Reference } from "../provider/provider-types.ts";
import { type Payment, type Payout, paymentsTable } from "../schema/money.ts";
import { clearBookedHolds, holdDifferingPayments, holdSecondPayment } from "./hold-differing-payments.ts";
import { matchesManualPayment, readIssueTimes } from "./manual-payment-rule.ts";
import { matchManualPayment } from "./match-manual-payment.ts";
import { paymentKey } from "./payment-key.ts";
import { type BookedPayment, bookPayment, splitPayment } from "./record-payment.ts";

export type RecordedPayments = {
  /** Rows booked by this call. */
  booked: PaidRow[];
  /** Rows that are the money of an earlier manual confirmation: matched with it, not booked again. */
  matched: PaidRow[];
  /** Rows whose payment is booked for another trade or with another amount: not booked again, but held for an administrator. */
  differing: PaidRow[];
  /** The balance of the trade's escrow afterwards, in ₮. */
  held: number;
  /** The amount that this call booked to suspense, in ₮, and the refunds that became due for it (their recipient is not known yet). */
  excess: number;
  refunds: Payout[];
};

/**
 * Books the provider's PAID rows, each exactly once. `escrow:<reference>` gets at most `owed` less what was received before; the rest goes
 * to suspense with a due refund. `owed` is the gross amount of a trade that waits for its money or holds it, and 0 for a cancelled or
 * completed trade, which late money never revives. Safe to repeat and to run in parallel: rows of an earlier report change nothing.
 */
export async function recordPayments(
  tx: Tx,
  input: {
    reference: Reference;
    rows: readonly PaidRow[];
    owed: number;
    /** When the trade ended; null while it is open. */
    endedAt?: Date | null;
    at: Date;
    by?: AuditActor;
  },
): Promise<RecordedPayments> {
  const { reference, owed, at, by = { userId: null } } = input;
  const result: RecordedPayments = {
    booked: [],
    matched: [],
    differing: [],
    held: 0,
    excess: 0,
    refunds: [],
  };
  const rows = removeRepeatedRows(input.rows);
  let before = await findKnownPayments(tx, reference, rows);
  // Most reports contain nothing new, and need no lock.
  if (separateFreshRows(rows, reference, before).fresh.length > 0) {
    await lockReference(tx, reference);
    // Another trade may be booking the same payment; a payment belongs to one trade only.
    await lockPayments(tx, rows);
    before = await findKnownPayments(tx, reference, rows);
  }
  const { fresh, differing } = separateFreshRows(rows, reference, before);
  result.differing = differing;
  let received = receivedOf(before, reference);
  const unmatched = unmatchedManualPayments(before, reference);
  const issuedAt = await readIssueTimes(tx, unmatched.length === 0 ? [] : fresh);
  for (const row of fresh) {
    const same = unmatched.filter(({ amount }) => amount === row.amount);
    const met = same.find((manual) =>
      matchesManualPayment(manual, row, issuedAt.get(row.invoiceId), input.endedAt ?? null),
    );
    if (met !== undefined) {
      unmatched.splice(unmatched.indexOf(met), 1);
      await matchManualPayment(tx, { manualPayment: met, row, at, by });
      result.matched.push(row);
      continue;
    }
    // A row with the amount of a manual confirmation may be the same money: it goes to suspense until administrators have decided.
    const [earlierPayment] = same;
    const parts = splitPayment(row.amount, earlierPayment === undefined ? owed : 0, received);
    const done = await bookPayment(tx, { payment: { ...asPayment(reference, row, at), ...parts }, at, by });
    received += done === undefined ? 0 : parts.toEscrow;
    if (done === undefined) result.differing.push(row);
    else addBookedPayment(result, row, done);
    if (done !== undefined && earlierPayment !== undefined)
      await holdSecondPayment(tx, { row, done, earlierPayment, at });
  }
  await holdDifferingPayments(tx, reference, before, result.differing, at);
  await clearBookedHolds(tx, reference, [...result.booked, ...result.matched], at);
  result.held = await heldAmount(tx, reference);
  return result;
}

/** The total booked to the trade's escrow and not undone, in ₮. */
function receivedOf(all: readonly Payment[], reference: Reference): number {
  const stands = all.filter((one) => one.reference === reference && !one.takenBackAt && one.sameAs === null);
  return stands.reduce((sum, { toEscrow }) => sum + toEscrow, 0);
}

/** Manual confirmations that no row of the provider is matched with yet, by rule or by a decision of two administrators. */
function unmatchedManualPayments(all: readonly Payment[], reference: Reference): Payment[] {
  const met = new Set(all.map(({ sameAs }) => sameAs));
  return all.filter(
    (one) => one.providerPaymentId === null && one.reference === reference && !met.has(one.id),
  );
}

function addBookedPayment(result: RecordedPayments, row: PaidRow, done: BookedPayment): void {
  result.booked.push(row);
  result.excess += done.excess;
  if (done.refund !== null) result.refunds.push(done.refund);
}

/** One row for each payment, oldest first. */
function removeRepeatedRows(rows: readonly PaidRow[]): PaidRow[] {
  const byKey = new Map(rows.map((row) => [paymentKey(row.providerPaymentId), row]));
  return [...byKey.values()].sort(
    (a, b) => a.paidAt.getTime() - b.paidAt.getTime() || (a.providerPaymentId < b.providerPaymentId ? -1 : 1),
  );
}

/** Locks these payments across all trades until the transaction ends: a transaction that books or matches any of them waits. */
async function lockPayments(tx: Tx, rows: readonly PaidRow[]): Promise<void> {
  // Sorted, so that two transactions cannot deadlock.
  const keys = rows.map((row) => paymentKey(row.providerPaymentId)).sort();
  await tx.execute(sql`
    SELECT pg_advisory_xact_lock(hashtextextended('payments.payment:' || key, 0))
    FROM (SELECT key FROM jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) WITH ORDINALITY AS k(key, nth) ORDER BY nth) AS sorted`);
}

/** Every payment of the reference, and every payment booked under the rows' ids, oldest first. */
function findKnownPayments(tx: Tx, reference: Reference, rows: PaidRow[]): Promise<Payment[]> {
  const keys = rows.map((row) => paymentKey(row.providerPaymentId));
  return tx
    .select()
    .from(paymentsTable)
    .where(or(eq(paymentsTable.reference, reference), inArray(paymentsTable.providerPaymentKey, keys)))
    .orderBy(asc(paymentsTable.id));
}

/**
 * Separates rows that are not booked yet from rows booked for another trade or with another amount. Drops rows that are booked as they are.
 */
function separateFreshRows(rows: PaidRow[], reference: Reference, booked: Payment[]) {
  const byKey = new Map(booked.map((payment) => [payment.providerPaymentKey, payment]));
  const fresh = rows.filter((row) => !byKey.has(paymentKey(row.providerPaymentId)));
  const differing = rows.filter((row) => {
    const payment = byKey.get(paymentKey(row.providerPaymentId));
    return payment !== undefined && (payment.reference !== reference || payment.amount !== row.amount);
  });
  return { fresh, differing };
}

function asPayment(reference: Reference, row: PaidRow, at: Date) {
  return {
    reference,
    providerPaymentId: row.providerPaymentId,
    invoiceId: row.invoiceId,
    amount: row.amount,
    paidAt: row.paidAt,
    bookedAt: at,
    wallet: row.wallet ?? null,
    kind: row.kind ?? null,
    payerBank: row.payerBank ?? null,
  };
}
