import { asc, eq, inArray } from "drizzle-orm";
import { db } from "#db/client";
import { isSandboxServing } from "../qpay/provider-access.ts";
import { findPayableSandboxInvoice } from "./pay-invoice.ts";
import { callbackDeliveriesTable, type InvoiceStatus, sandboxPaymentsTable } from "./schema.ts";

/** The data of the sandbox page on which a user pays. Amounts are in ₮; in the sandbox they may have fractions. */
export type SandboxInvoice = {
  id: string;
  description: string;
  amount: number;
  paid: number;
  status: InvoiceStatus;
  qrText: string;
  createdAt: Date;
  payments: Array<{
    id: string;
    amount: number;
    currency: string;
    status: string;
    paidAt: Date;
    callbacks: string[];
  }>;
};

/** An invoice of the sandbox by the provider's id or Midman's; null when there is none, or no sandbox. */
export async function findSandboxInvoice(id: string): Promise<SandboxInvoice | null> {
  const invoice = isSandboxServing() ? await findPayableSandboxInvoice(id) : undefined;
  if (invoice === undefined) return null;
  const rows = await db()
    .select()
    .from(sandboxPaymentsTable)
    .where(eq(sandboxPaymentsTable.invoiceId, invoice.id))
    .orderBy(asc(sandboxPaymentsTable.sequence));
  const ids = rows.map((row) => row.id);
  const calls = ids.length
    ? await db()
        .select()
        .from(callbackDeliveriesTable)
        .where(inArray(callbackDeliveriesTable.paymentId, ids))
        .orderBy(asc(callbackDeliveriesTable.id))
    : [];
  const paid = rows.filter((row) => row.status === "PAID").reduce((sum, row) => sum + Number(row.amount), 0);
  return {
    id: invoice.id,
    description: invoice.description,
    amount: Number(invoice.amount),
    paid,
    status: invoice.status,
    qrText: invoice.qrText,
    createdAt: invoice.createdAt,
    payments: rows.map(({ id, amount, currency, status, paidAt }) => ({
      id,
      amount: Number(amount),
      currency,
      status,
      paidAt,
      callbacks: calls.filter((call) => call.paymentId === id).map((call) => call.outcome),
    })),
  };
}
