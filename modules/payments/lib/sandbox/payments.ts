import { and, asc, count, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db, runInSnapshot } from "#db/client";
import { sandboxMerchant } from "../qpay/provider-access.ts";
import { answerCall, readBody, refuseCall, type WireReply } from "./http-replies.ts";
import { findInvoice } from "./invoices.ts";
import { type SandboxPaymentRow, sandboxPaymentsTable } from "./schema.ts";
import { type Act, isPossibleId, readManners } from "./scripted-behavior.ts";

const offsetSchema = z
  .object({
    page_number: z.number().int().min(1).max(1_000_000).default(1),
    page_limit: z.number().int().min(1).max(100).default(100),
  })
  .default({ page_number: 1, page_limit: 100 });
const checkRequestSchema = z.object({ object_type: z.string(), object_id: z.string(), offset: offsetSchema });
const dateTextSchema = z.string().transform((text, context) => {
  const date = new Date(text);
  const year = date.getUTCFullYear();
  if (!(year >= 2000 && year < 2200)) context.addIssue("not a date");
  return date;
});
const listRequestSchema = z.object({
  ...checkRequestSchema.shape,
  start_date: dateTextSchema,
  end_date: dateTextSchema,
});

type Page = { page_number: number; page_limit: number };

/** `POST /payment/check`: without paid rows there is no `paid_amount`; failed payments are listed too. */
export async function checkPayments(request: Request, act: Act): Promise<WireReply> {
  const read = await readBody(request, checkRequestSchema);
  if (!read.ok) return read.wire;
  if (read.body.object_type !== "INVOICE") return refuseCall("INVALID_OBJECT_TYPE");
  const invoice = await findInvoice(read.body.object_id);
  if (invoice === undefined) return refuseCall("INVOICE_NOTFOUND", 422);
  return answerCall(
    await readPaymentPage(eq(sandboxPaymentsTable.invoiceId, invoice.id), read.body.offset, act),
  );
}

/** `POST /payment/list`: the payments to the merchant between two times. */
export async function listPayments(request: Request, act: Act): Promise<WireReply> {
  const read = await readBody(request, listRequestSchema);
  if (!read.ok) return read.wire;
  const { object_type, object_id, start_date, end_date } = read.body;
  if (object_type !== "MERCHANT") return refuseCall("INVALID_OBJECT_TYPE");
  if (object_id !== sandboxMerchant.invoiceCode) return refuseCall("PERMISSION_DENIED");
  const span = and(gte(sandboxPaymentsTable.paidAt, start_date), lte(sandboxPaymentsTable.paidAt, end_date));
  return answerCall(await readPaymentPage(span, read.body.offset, act));
}

/** `GET /payment/{id}`. */
export async function showPayment(id: string): Promise<WireReply> {
  if (!isPossibleId(id)) return refuseCall("PAYMENT_NOTFOUND", 422);
  const [payment] = await db()
    .select()
    .from(sandboxPaymentsTable)
    .where(and(eq(sandboxPaymentsTable.id, id), sandboxPaymentsTable.listed));
  return payment ? answerCall(await rowOf(payment)) : refuseCall("PAYMENT_NOTFOUND", 422);
}

/** `DELETE /payment/cancel/{id}` and `/payment/refund/{id}`: for cards only; a QR transfer is refused as PAYMENT_SETTLED. */
export async function reversePayment(id: string): Promise<WireReply> {
  if (!isPossibleId(id)) return refuseCall("PAYMENT_NOTFOUND", 422);
  const [payment] = await db().select().from(sandboxPaymentsTable).where(eq(sandboxPaymentsTable.id, id));
  if (payment === undefined) return refuseCall("PAYMENT_NOTFOUND", 422);
  if (payment.kind === "P2P") return refuseCall("PAYMENT_SETTLED");
  await db().update(sandboxPaymentsTable).set({ status: "REFUNDED" }).where(eq(sandboxPaymentsTable.id, id));
  return answerCall({});
}

async function readPaymentPage(which: SQL | undefined, { page_number, page_limit }: Page, act: Act) {
  const where = and(which, sandboxPaymentsTable.listed);
  const { pageLimit } = await readManners();
  const limit = Math.min(page_limit, pageLimit);
  const offset = (page_number - 1) * limit;
  // One snapshot: a payment stored between the two queries would be counted but not listed.
  const { found, total } = await runInSnapshot(async (tx) => {
    const rows = tx
      .select()
      .from(sandboxPaymentsTable)
      .where(where)
      .orderBy(asc(sandboxPaymentsTable.sequence));
    const [total] = await tx.select({ rows: count(), paid: paidSum }).from(sandboxPaymentsTable).where(where);
    return { found: await rows.limit(limit).offset(offset), total };
  });
  if (act.hide) return { count: 0, rows: [] };
  const named = act.namesInvoice === undefined ? {} : { object_id: act.namesInvoice };
  const rows = (await Promise.all(found.map(rowOf))).map((row) => ({ ...row, ...named }));
  const told = rows.flatMap((row) => Array(act.repeat ?? 1).fill(row));
  const paid = act.paidAmount ?? (total?.paid == null ? undefined : Number(total.paid));
  return {
    count: total?.rows ?? 0,
    ...(paid !== undefined && { paid_amount: paid }),
    rows: act.garbage === "partial" ? told.slice(0, -1) : told,
  };
}

const paidSum = sql<
  string | null
>`sum(${sandboxPaymentsTable.amount}) FILTER (WHERE ${sandboxPaymentsTable.status} = 'PAID')`;

async function rowOf(payment: SandboxPaymentRow) {
  const { id, status, amount, currency, kind, paidAt, invoiceId, namesInvoice } = payment;
  const { dialect } = await readManners();
  const leg = { transaction_bank_code: "050000", account_bank_code: "050000", account_number: "5000000000" };
  return {
    payment_id: id,
    payment_status: status,
    payment_amount: dialect === "b" ? Number(amount) : amount,
    ...(dialect === "b" ? { payment_fee: 0 } : { trx_fee: "0.00" }),
    payment_currency: currency,
    payment_wallet: "Sandbox wallet",
    ...(dialect === "b" ? { transaction_type: kind } : { payment_type: kind }),
    payment_date: paidAt.toISOString(),
    next_payment_date: null,
    next_payment_datetime: null,
    object_type: "INVOICE",
    object_id: namesInvoice ?? invoiceId,
    card_transactions: kind === "CARD" ? [{ card_number: "4000******0000", amount, currency }] : [],
    p2p_transactions: kind === "P2P" ? [{ ...leg, amount, currency, status: "SUCCESS" }] : [],
  };
}
