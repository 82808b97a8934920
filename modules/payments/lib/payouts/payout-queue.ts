import { and, asc, desc, eq, gt, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { moneyFormLimits } from "../../forms.ts";
import {
  balancesTable,
  type Payout,
  type PayoutState,
  paymentsTable,
  payoutsTable,
} from "../schema/money.ts";

const PAGE = 50;

/** Payouts to sellers, refunds to buyers, and refunds of money in suspense. */
export type OutgoingKind = "payout" | "refund" | "suspense";

/** Payouts that wait for an administrator. Spelled exactly as in the partial index, so that the planner uses it. */
export const waitingPayouts = sql`(${payoutsTable.state} IN ('due', 'approved', 'unknown') OR ${payoutsTable.referenceMissing})`;

/**
 * Payouts that wait for an administrator, earliest due first: due, approved, in doubt, and sent without the bank's reference. `after` is
 * the id of the last row seen; `limit` is at most 101: a page of 100 and one row that shows whether there are more.
 */
export function payoutQueue(
  exec: Executor,
  input: { limit?: number; after?: number; of?: OutgoingKind } = {},
): Promise<Payout[]> {
  const beyond =
    input.after === undefined
      ? undefined
      : sql`(${payoutsTable.dueAt}, ${payoutsTable.id}) > (SELECT seen.due_at, seen.id FROM ${payoutsTable} seen WHERE seen.id = ${input.after})`;
  return exec
    .select()
    .from(payoutsTable)
    .where(and(waitingPayouts, beyond, input.of && isOutgoingOf(input.of)))
    .orderBy(asc(payoutsTable.dueAt), asc(payoutsTable.id))
    .limit(pageSize(input.limit));
}

function isOutgoingOf(outgoing: OutgoingKind): SQL | undefined {
  if (outgoing === "suspense") return ne(payoutsTable.source, "escrow");
  return and(eq(payoutsTable.kind, outgoing), eq(payoutsTable.source, "escrow"));
}

/** Payouts and refunds, newest first, in one state or all. `before` is the id of the last row seen. */
export function payoutList(
  exec: Executor,
  input: { state?: PayoutState; limit?: number; before?: number } = {},
): Promise<Payout[]> {
  return exec
    .select()
    .from(payoutsTable)
    .where(
      and(
        input.state === undefined ? undefined : eq(payoutsTable.state, input.state),
        input.before === undefined ? undefined : lt(payoutsTable.id, input.before),
      ),
    )
    .orderBy(desc(payoutsTable.id))
    .limit(pageSize(input.limit));
}

/** All payouts and refunds sent from `from` up to but excluding `until`, oldest first. */
export function payoutsSentBetween(exec: Executor, from: Date, until: Date): Promise<Payout[]> {
  return exec
    .select()
    .from(payoutsTable)
    .where(
      and(gte(payoutsTable.sentAt, from), lt(payoutsTable.sentAt, until), ne(payoutsTable.state, "void")),
    )
    .orderBy(asc(payoutsTable.sentAt), asc(payoutsTable.id));
}

/** Money in suspense: the payment it came from, the amount still held, and its refund. */
export type SuspenseItem = {
  paymentId: number;
  reference: number;
  providerPaymentId: string | null;
  amount: number;
  paidAt: Date;
  wallet: string | null;
  /** Code of the payer's bank, if the provider reports it. */
  payerBank: string | null;
  refund: Payout | null;
};

/** Every suspense account that holds money, newest payment first. `before` is the id of the last payment seen. */
export async function suspenseList(
  exec: Executor,
  input: { limit?: number; before?: number } = {},
): Promise<SuspenseItem[]> {
  const rows = await exec
    .select({ payment: paymentsTable, balance: balancesTable.balance, refund: payoutsTable })
    .from(paymentsTable)
    .innerJoin(balancesTable, eq(balancesTable.account, sql`'suspense:' || ${paymentsTable.id}`))
    .leftJoin(
      payoutsTable,
      and(
        eq(payoutsTable.reference, paymentsTable.reference),
        eq(payoutsTable.source, balancesTable.account),
        sql`${payoutsTable.state} <> 'void'`,
      ),
    )
    .where(
      and(
        sql`${paymentsTable.toSuspense} > 0`, // spelled as in the partial index
        gt(balancesTable.balance, 0),
        input.before === undefined ? undefined : lt(paymentsTable.id, input.before),
      ),
    )
    .orderBy(desc(paymentsTable.id))
    .limit(pageSize(input.limit));
  return rows.map(({ payment, balance, refund }) => ({
    paymentId: payment.id,
    reference: payment.reference,
    providerPaymentId: payment.providerPaymentId,
    amount: balance,
    paidAt: payment.paidAt,
    wallet: payment.wallet,
    payerBank: payment.payerBank,
    refund,
  }));
}

function pageSize(limit = PAGE): number {
  return Math.max(1, Math.min(limit, moneyFormLimits.page + 1));
}
