import { desc, eq, like, or, sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client";
import { isUuid } from "../invoices/invoices.ts";
import { isSandboxServing } from "../qpay/provider-access.ts";
import { deliverCallbacks } from "./deliver-callbacks.ts";
import { type SandboxInvoiceRow, sandboxInvoicesTable, sandboxPaymentsTable } from "./schema.ts";
import { readManners } from "./scripted-behavior.ts";

/** Input of `POST /sandbox/qpay/pay/{invoice_id}`; all of it is optional. */
export const payInput = z.strictObject({
  /**
   * Any amount in ₮: too little, too much or with a fraction. Default: what is left to pay, or the full amount once the invoice is paid.
   */
  amount: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d+(\.\d+)?$/)
        .transform(Number),
    ])
    .pipe(z.number().min(0.01).max(1e12))
    .optional(),
  /** How many payments of that amount to make. */
  payments: z.number().int().min(1).max(1_000).default(1),
  status: z.enum(["PAID", "FAILED", "NEW", "REFUNDED", "PARTIAL"]).default("PAID"),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default("MNT"),
  kind: z.enum(["P2P", "CARD"]).default("P2P"),
  /** How often Midman's callback is called for each payment: `true` is once, `false` never. */
  callback: z
    .union([z.boolean(), z.number().int().min(0).max(100)])
    .transform(Number)
    .default(1),
  /** Delays the callback by this time; this call does not wait for it. */
  callbackDelayMs: z.number().int().min(0).max(600_000).default(0),
  /** `false`: the payment is not listed yet, although the invoice counts as paid. */
  listed: z.boolean().default(true),
  /** The list names this invoice instead of the one that was paid, which stays unpaid. */
  namesInvoice: z
    .string()
    .regex(/^[\w.:-]{1,64}$/)
    .optional(),
});
export type PayInput = z.input<typeof payInput>;

export type PayOutcome =
  | { ok: true; invoiceId: string; amount: number; paymentIds: string[]; callbacks: string[] }
  | { ok: false; code: "INVOICE_NOTFOUND" | "INVOICE_ALREADY_CANCELED" };

/**
 * Pays an invoice of the sandbox, as a payer's bank would, and calls the callback over HTTP once the payment is stored. `id` is the
 * provider's id of the invoice, or Midman's id or `sender_invoice_no` (then the latest invoice with it).
 */
export async function paySandboxInvoice(id: string, input: PayInput, at: Date): Promise<PayOutcome> {
  const told = payInput.parse(input);
  const invoice = isSandboxServing() ? await findPayableSandboxInvoice(id) : undefined;
  if (invoice === undefined) return { ok: false, code: "INVOICE_NOTFOUND" };
  const { payAfterCancel } = await readManners();
  if (invoice.status === "CANCELED" && !payAfterCancel)
    return { ok: false, code: "INVOICE_ALREADY_CANCELED" };
  const { amount, paymentIds } = await insertSandboxPayments(invoice.id, told, at);
  const calls = deliverCallbacks(invoice.callbackUrl, paymentIds, told.callback, told.callbackDelayMs, at);
  const callbacks = told.callbackDelayMs > 0 ? [] : await calls;
  return { ok: true, invoiceId: invoice.id, amount, paymentIds, callbacks };
}

async function insertSandboxPayments(invoiceId: string, told: z.output<typeof payInput>, at: Date) {
  return db().transaction(async (tx) => {
    const [invoice] = await tx
      .select()
      .from(sandboxInvoicesTable)
      .where(eq(sandboxInvoicesTable.id, invoiceId))
      .for("update");
    if (invoice === undefined) throw new Error("sandbox: the invoice is gone");
    const paid = tx
      .select({
        sum: sql<string>`coalesce(sum(amount) FILTER (WHERE status = 'PAID' AND names_invoice IS NULL), 0)`,
      })
      .from(sandboxPaymentsTable)
      .where(eq(sandboxPaymentsTable.invoiceId, invoiceId));
    const rest = Number(invoice.amount) - Number((await paid)[0]?.sum ?? 0);
    const amount = told.amount ?? (rest > 0 ? rest : Number(invoice.amount));
    const { status, currency, kind, listed, namesInvoice } = told;
    const row = {
      invoiceId,
      status,
      amount: amount.toFixed(2),
      currency,
      kind,
      paidAt: at,
      listed,
      namesInvoice,
    };
    const rows = Array.from({ length: told.payments }, () => ({ id: paymentId(), ...row }));
    await tx.insert(sandboxPaymentsTable).values(rows);
    const now = Number((await paid)[0]?.sum ?? 0);
    if (invoice.status === "OPEN" && now >= Number(invoice.amount)) {
      await tx
        .update(sandboxInvoicesTable)
        .set({ status: "CLOSED" })
        .where(eq(sandboxInvoicesTable.id, invoiceId));
    }
    return { amount, paymentIds: rows.map((row) => row.id) };
  });
}

/** A payment id of fifteen digits, the first a zero: code that reads it as a number cannot find the payment. */
function paymentId(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `0${String(a % 10_000_000).padStart(7, "0")}${String(b % 10_000_000).padStart(7, "0")}`;
}

/** The sandbox invoice with this provider id, Midman id or `sender_invoice_no`; the latest if there are several. */
export async function findPayableSandboxInvoice(id: string): Promise<SandboxInvoiceRow | undefined> {
  if (!isUuid(id.slice(0, 36)) || !/^(-\d{1,6})?$/.test(id.slice(36))) return undefined;
  const [row] = await db()
    .select()
    .from(sandboxInvoicesTable)
    .where(
      or(
        isUuid(id) ? eq(sandboxInvoicesTable.id, id) : undefined,
        eq(sandboxInvoicesTable.senderInvoiceNo, id),
        isUuid(id) ? like(sandboxInvoicesTable.senderInvoiceNo, `${id}-%`) : undefined,
      ),
    )
    .orderBy(desc(sandboxInvoicesTable.createdAt), desc(sandboxInvoicesTable.senderInvoiceNo))
    .limit(1);
  return row;
}
