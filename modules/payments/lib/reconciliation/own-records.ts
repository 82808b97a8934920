import { and, eq, gte, inArray, isNotNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { daySpan } from "#format";
import { paymentSubject } from "../holds/open-holds.ts";
import { holds } from "../holds/schema.ts";
import { payments } from "../schema/money.ts";
import { invoices, providerInvoices } from "../schema/provider.ts";
import type { There } from "./provider-records.ts";

/** One booked payment, with what the ledger says of it. */
export type Here = {
  id: number;
  paymentId: string | null;
  /** `paymentKey` of it. */
  key: string | null;
  /** The provider's row is the money of another payment of ours: a manual confirmation. */
  sameAs: number | null;
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
  const keys = listed.map(({ key }) => key);
  const references = [...new Set([...billed.values()].map(({ reference }) => reference))];
  const named = inArray(payments.providerPaymentKey, keys);
  return booked(exec, or(named, inArray(payments.reference, references)));
}

async function booked(exec: Executor, where: SQL | undefined): Promise<Here[]> {
  const rows = await exec
    .select({ payment: payments, posted, suspended })
    .from(payments)
    .where(where)
    .orderBy(payments.id);
  return rows.map(({ payment, posted, suspended }) => {
    const { id, providerPaymentId, providerPaymentKey, sameAs, reference, invoiceId, bookedAt } = payment;
    return {
      id,
      paymentId: providerPaymentId,
      key: providerPaymentKey,
      sameAs,
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

/** The keys of the odd rows among them that a person has dealt with already. */
export async function dealtWith(exec: Executor, listed: readonly There[]): Promise<Set<string>> {
  const subjects = new Map(listed.map(({ paymentId, key }) => [paymentSubject(paymentId), key]));
  const rows = await exec
    .select({ subject: holds.subject })
    .from(holds)
    .where(and(inArray(holds.subject, [...subjects.keys()]), isNotNull(holds.closedBy)));
  return new Set(rows.flatMap(({ subject }) => subjects.get(subject) ?? []));
}
