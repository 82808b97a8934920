import { and, eq, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { daySpan } from "#format";
import type { There } from "./reconcile.there.ts";
import { payments } from "./schema.money.ts";
import { invoices, providerInvoices, providerProblems } from "./schema.provider.ts";

/** One booked payment, with what the ledger says of it. */
export type Here = {
  id: number;
  paymentId: string | null;
  reference: number;
  invoiceId: string | null;
  /** What its journal and the corrections of it left on `provider:qpay`, in tugrik. */
  posted: number;
  /** What of it still lies in suspense. */
  suspended: number;
  bookedAt: Date;
};

/** One of our invoices, by the id under which the provider knows it. */
export type Billed = { invoiceId: string; reference: number; amount: number };

/** The payments our books date on a Mongolian day. */
export function bookedOn(exec: Executor, day: string): Promise<Here[]> {
  const { from, until } = daySpan(day);
  return booked(exec, and(gte(payments.paidAt, from), lt(payments.paidAt, until)));
}

/** Those the provider lists, whatever day ours has for them, and all others of the same trades. */
export async function bookedFor(
  exec: Executor,
  listed: readonly There[],
  billed: ReadonlyMap<string, Billed>,
): Promise<Here[]> {
  const ids = listed.map(({ paymentId }) => paymentId);
  const references = [...new Set([...billed.values()].map(({ reference }) => reference))];
  const named = inArray(payments.providerPaymentId, ids);
  return booked(exec, or(named, inArray(payments.reference, references)));
}

async function booked(exec: Executor, where: SQL | undefined): Promise<Here[]> {
  const rows = await exec
    .select({ payment: payments, posted, suspended })
    .from(payments)
    .where(where)
    .orderBy(payments.id);
  return rows.map(({ payment: { id, providerPaymentId, reference, invoiceId, bookedAt }, ...sums }) => {
    const { posted, suspended } = sums;
    return {
      id,
      paymentId: providerPaymentId,
      reference,
      invoiceId,
      bookedAt,
      posted: Number(posted),
      suspended: Number(suspended),
    };
  });
}

// Written out: a column of a single table loses its table's name in a select list.
const posted = sql<string>`(
  SELECT coalesce(sum(e.amount), 0) FROM payments.entries e
  WHERE e.account = 'provider:qpay' AND e.journal_id IN (
    SELECT j.id FROM payments.journals j WHERE j.event = 'payment:' || payments.id
    UNION ALL
    SELECT c.id FROM payments.journals j JOIN payments.journals c ON c.corrects = j.id
    WHERE j.event = 'payment:' || payments.id))`;

const suspended = sql<string>`coalesce(
  (SELECT b.balance FROM payments.balances b WHERE b.account = 'suspense:' || payments.id), 0)`;

/** Our invoices among those the listed payments name. */
export async function billedBy(exec: Executor, listed: readonly There[]): Promise<Map<string, Billed>> {
  const ids = [...new Set(listed.flatMap(({ providerInvoiceId }) => providerInvoiceId ?? []))];
  const rows = await exec
    .select({ providerId: providerInvoices.providerId, invoice: invoices })
    .from(providerInvoices)
    .innerJoin(invoices, eq(invoices.id, providerInvoices.invoiceId))
    .where(inArray(providerInvoices.providerId, ids));
  return new Map(
    rows.map(({ providerId, invoice: { id, reference, amount } }) => {
      return [providerId ?? "", { invoiceId: id, reference, amount }];
    }),
  );
}

/** The odd rows among them that a person has dealt with already. */
export async function dealtWith(exec: Executor, listed: readonly There[]): Promise<Set<string>> {
  const ids = listed.map(({ paymentId }) => paymentId);
  const rows = await exec
    .select({ id: providerProblems.providerPaymentId })
    .from(providerProblems)
    .where(
      and(inArray(providerProblems.providerPaymentId, ids), sql`${providerProblems.resolvedAt} IS NOT NULL`),
    );
  return new Set(rows.map(({ id }) => id));
}
