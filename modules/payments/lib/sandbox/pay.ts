import { desc, eq, like, or, sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client";
import { isUuid } from "../invoices/invoices.ts";
import { sandboxServes } from "../qpay/provider-access.ts";
import { deliver } from "./callbacks.ts";
import { type SandboxInvoiceRow, sandboxInvoices, sandboxPayments } from "./schema.ts";
import { mannersNow } from "./scripted-behaviour.ts";

/** What `POST /sandbox/qpay/pay/{invoice_id}` takes; all of it optional. */
export const payInput = z.strictObject({
  /** Short, over, or with a fraction; the rest of the invoice unless given, and all of it again once it is paid. */
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
  /** So many payments of that amount. */
  payments: z.number().int().min(1).max(1_000).default(1),
  status: z.enum(["PAID", "FAILED", "NEW", "REFUNDED", "PARTIAL"]).default("PAID"),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default("MNT"),
  kind: z.enum(["P2P", "CARD"]).default("P2P"),
  /** Our callback, called so many times for each payment: `true` is once, `false` never. */
  callback: z
    .union([z.boolean(), z.number().int().min(0).max(100)])
    .transform(Number)
    .default(1),
  /** The callback comes so late; the call here does not wait for it. */
  callbackDelayMs: z.number().int().min(0).max(600_000).default(0),
  /** `false`: the list does not have it yet, though the invoice counts as paid. */
  listed: z.boolean().default(true),
  /** The list names this invoice in the place of the one it was paid for, which stays unpaid. */
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
 * Pays an invoice of the sandbox, as a payer's bank would, and really calls the callback over HTTP once the payment stands.
 * `id` is the provider's invoice, or ours by the number we gave it there (then the latest of that number).
 */
export async function sandboxPay(id: string, input: PayInput, at: Date): Promise<PayOutcome> {
  const told = payInput.parse(input);
  const invoice = sandboxServes() ? await findPayable(id) : undefined;
  if (invoice === undefined) return { ok: false, code: "INVOICE_NOTFOUND" };
  const { payAfterCancel } = await mannersNow();
  if (invoice.status === "CANCELED" && !payAfterCancel)
    return { ok: false, code: "INVOICE_ALREADY_CANCELED" };
  const { amount, paymentIds } = await take(invoice.id, told, at);
  const calls = deliver(invoice.callbackUrl, paymentIds, told.callback, told.callbackDelayMs, at);
  const callbacks = told.callbackDelayMs > 0 ? [] : await calls;
  return { ok: true, invoiceId: invoice.id, amount, paymentIds, callbacks };
}

async function take(invoiceId: string, told: z.output<typeof payInput>, at: Date) {
  return db().transaction(async (tx) => {
    const [invoice] = await tx
      .select()
      .from(sandboxInvoices)
      .where(eq(sandboxInvoices.id, invoiceId))
      .for("update");
    if (invoice === undefined) throw new Error("sandbox: the invoice is gone");
    const paid = tx
      .select({
        sum: sql<string>`coalesce(sum(amount) FILTER (WHERE status = 'PAID' AND names_invoice IS NULL), 0)`,
      })
      .from(sandboxPayments)
      .where(eq(sandboxPayments.invoiceId, invoiceId));
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
    await tx.insert(sandboxPayments).values(rows);
    const now = Number((await paid)[0]?.sum ?? 0);
    if (invoice.status === "OPEN" && now >= Number(invoice.amount)) {
      await tx.update(sandboxInvoices).set({ status: "CLOSED" }).where(eq(sandboxInvoices.id, invoiceId));
    }
    return { amount, paymentIds: rows.map((row) => row.id) };
  });
}

/** Fifteen digits, the first a zero: whoever takes them for a number loses the payment. */
function paymentId(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `0${String(a % 10_000_000).padStart(7, "0")}${String(b % 10_000_000).padStart(7, "0")}`;
}

export async function findPayable(id: string): Promise<SandboxInvoiceRow | undefined> {
  if (!isUuid(id.slice(0, 36)) || !/^(-\d{1,6})?$/.test(id.slice(36))) return undefined;
  const [row] = await db()
    .select()
    .from(sandboxInvoices)
    .where(
      or(
        isUuid(id) ? eq(sandboxInvoices.id, id) : undefined,
        eq(sandboxInvoices.senderInvoiceNo, id),
        isUuid(id) ? like(sandboxInvoices.senderInvoiceNo, `${id}-%`) : undefined,
      ),
    )
    .orderBy(desc(sandboxInvoices.createdAt), desc(sandboxInvoices.senderInvoiceNo))
    .limit(1);
  return row;
}
