import { and, eq, gte, inArray, isNotNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { daySpan } from "#format";
import { paymentSubject } from "../holds/open-holds.ts";
import { holdsTable } from "../holds/schema.ts";
import { paymentsTable } from "../schema/money.ts";
import { invoicesTable, providerInvoicesTable } from "../schema/provider.ts";
import type { ProviderRecord } from "./provider-records.ts";

/** One booked payment, with its amounts in the ledger. */
export type OwnRecord = {
  id: number;
  paymentId: string | null;
  /** `paymentKey` of `paymentId`. */
  key: string | null;
  /** Id of the manual confirmation that is the same money as this payment; null otherwise. */
  sameAs: number | null;
  reference: number;
  invoiceId: string | null;
  /** What its journal and the corrections of that journal left on `provider:qpay`, in ₮. */
  posted: number;
  /** How much of it is still in suspense, in ₮. */
  suspended: number;
  bookedAt: Date;
};

/** One of Midman's invoices, looked up by the provider's id. */
export type BilledInvoice = { invoiceId: string; reference: number; amount: number };

/** The payments that Midman dates on a Mongolian day. */
export function findPaymentsBookedOn(exec: Executor, day: string): Promise<OwnRecord[]> {
  const { from, until } = daySpan(day);
  return readBookedPayments(exec, and(gte(paymentsTable.paidAt, from), lt(paymentsTable.paidAt, until)));
}

/** The payments that the provider lists, whatever day Midman has for them, and all others of the same trades. */
export async function findPaymentsBookedFor(
  exec: Executor,
  listed: readonly ProviderRecord[],
  billed: ReadonlyMap<string, BilledInvoice>,
): Promise<OwnRecord[]> {
  const keys = listed.map(({ key }) => key);
  const references = [...new Set([...billed.values()].map(({ reference }) => reference))];
  const named = inArray(paymentsTable.providerPaymentKey, keys);
  return readBookedPayments(exec, or(named, inArray(paymentsTable.reference, references)));
}

async function readBookedPayments(exec: Executor, where: SQL | undefined): Promise<OwnRecord[]> {
  const rows = await exec
    .select({ payment: paymentsTable, posted: postedAmount, suspended: suspendedAmount })
    .from(paymentsTable)
    .where(where)
    .orderBy(paymentsTable.id);
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

// Plain SQL with the table's name: drizzle drops the table name of a column in the select list of a single table.
const postedAmount = sql<string>`(
  SELECT coalesce(sum(e.amount), 0) FROM payments.entries e
  WHERE e.account = 'provider:qpay' AND e.journal_id IN (
    SELECT j.id FROM payments.journals j WHERE j.event = 'payment:' || payments.id
    UNION ALL
    SELECT c.id FROM payments.journals j JOIN payments.journals c ON c.corrects = j.id
    WHERE j.event = 'payment:' || payments.id))`;

const suspendedAmount = sql<string>`coalesce(
  (SELECT b.balance FROM payments.balances b WHERE b.account = 'suspense:' || payments.id), 0)`;

/** Midman's invoices among those that the listed payments name, by the provider's id. */
export async function findBilledInvoices(
  exec: Executor,
  listed: readonly ProviderRecord[],
): Promise<Map<string, BilledInvoice>> {
  const ids = [...new Set(listed.flatMap(({ providerInvoiceId }) => providerInvoiceId ?? []))];
  const rows = await exec
    .select({ providerId: providerInvoicesTable.providerId, invoice: invoicesTable })
    .from(providerInvoicesTable)
    .innerJoin(invoicesTable, eq(invoicesTable.id, providerInvoicesTable.invoiceId))
    .where(inArray(providerInvoicesTable.providerId, ids));
  return new Map(
    rows.map(({ providerId, invoice: { id, reference, amount } }) => {
      return [providerId ?? "", { invoiceId: id, reference, amount }];
    }),
  );
}

/** The keys of listed payments about which an administrator has resolved a hold. */
export async function findResolvedKeys(
  exec: Executor,
  listed: readonly ProviderRecord[],
): Promise<Set<string>> {
  const subjects = new Map(listed.map(({ paymentId, key }) => [paymentSubject(paymentId), key]));
  const rows = await exec
    .select({ subject: holdsTable.subject })
    .from(holdsTable)
    .where(and(inArray(holdsTable.subject, [...subjects.keys()]), isNotNull(holdsTable.closedBy)));
  return new Set(rows.flatMap(({ subject }) => subjects.get(subject) ?? []));
}
