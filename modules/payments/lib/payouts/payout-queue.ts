import { and, asc, desc, eq, gt, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { limits } from "../../forms.ts";
import { balances, type Payout, type PayoutState, payments, payouts } from "../schema/money.ts";

const PAGE = 50;

/** Payouts to sellers, refunds to buyers, and refunds of money that belongs to no trade. */
export type Outgoing = "payout" | "refund" | "suspense";

/** What waits for a person. Written out as the partial index has it, so that the planner can tell it applies. */
export const waitingPayouts = sql`(${payouts.state} IN ('due', 'approved', 'unknown') OR ${payouts.referenceMissing})`;

/**
 * What waits for a person, earliest due first: due, approved and in doubt, and what was sent without the bank's
 * reference. `after` is the id of the last record seen; `limit` is 100 at most, and one to see whether there are more.
 */
export function payoutQueue(
  exec: Executor,
  input: { limit?: number; after?: number; of?: Outgoing } = {},
): Promise<Payout[]> {
  const beyond =
    input.after === undefined
      ? undefined
      : sql`(${payouts.dueAt}, ${payouts.id}) > (SELECT seen.due_at, seen.id FROM ${payouts} seen WHERE seen.id = ${input.after})`;
  return exec
    .select()
    .from(payouts)
    .where(and(waitingPayouts, beyond, input.of && isOf(input.of)))
    .orderBy(asc(payouts.dueAt), asc(payouts.id))
    .limit(pageSize(input.limit));
}

function isOf(outgoing: Outgoing): SQL | undefined {
  if (outgoing === "suspense") return ne(payouts.source, "escrow");
  return and(eq(payouts.kind, outgoing), eq(payouts.source, "escrow"));
}

/** Payouts and refunds, newest first, of one state or all. `before` is the id of the last record seen. */
export function payoutList(
  exec: Executor,
  input: { state?: PayoutState; limit?: number; before?: number } = {},
): Promise<Payout[]> {
  return exec
    .select()
    .from(payouts)
    .where(
      and(
        input.state === undefined ? undefined : eq(payouts.state, input.state),
        input.before === undefined ? undefined : lt(payouts.id, input.before),
      ),
    )
    .orderBy(desc(payouts.id))
    .limit(pageSize(input.limit));
}

/** What was sent between two moments, the second left out: oldest first, all of it. */
export function sentBetween(exec: Executor, from: Date, until: Date): Promise<Payout[]> {
  return exec
    .select()
    .from(payouts)
    .where(and(gte(payouts.sentAt, from), lt(payouts.sentAt, until), ne(payouts.state, "void")))
    .orderBy(asc(payouts.sentAt), asc(payouts.id));
}

/** Money that belongs to no trade: whose payment it was, how much of it is still here, and its refund. */
export type SuspenseItem = {
  paymentId: number;
  reference: number;
  providerPaymentId: string | null;
  amount: number;
  paidAt: Date;
  wallet: string | null;
  /** The code of the bank it came from, where the provider says it. */
  payerBank: string | null;
  refund: Payout | null;
};

/** Every suspense account that holds money, newest payment first. `before` is the payment's id last seen. */
export async function suspenseList(
  exec: Executor,
  input: { limit?: number; before?: number } = {},
): Promise<SuspenseItem[]> {
  const rows = await exec
    .select({ payment: payments, balance: balances.balance, refund: payouts })
    .from(payments)
    .innerJoin(balances, eq(balances.account, sql`'suspense:' || ${payments.id}`))
    .leftJoin(
      payouts,
      and(
        eq(payouts.reference, payments.reference),
        eq(payouts.source, balances.account),
        sql`${payouts.state} <> 'void'`,
      ),
    )
    .where(
      and(
        sql`${payments.toSuspense} > 0`, // as the partial index has it
        gt(balances.balance, 0),
        input.before === undefined ? undefined : lt(payments.id, input.before),
      ),
    )
    .orderBy(desc(payments.id))
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
  return Math.max(1, Math.min(limit, limits.page + 1));
}
