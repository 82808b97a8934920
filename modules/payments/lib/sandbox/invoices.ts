import { eq } from "drizzle-orm";
import { z } from "zod";
import { publicUrl } from "#config";
import { db } from "#db/client";
import { drawQr, isUuid } from "../invoices/invoices.ts";
import { sandboxMerchant } from "../qpay/provider-access.ts";
import { bankUrls } from "./bank-links.ts";
import { emvText } from "./emv-qr.ts";
import { answerCall, readBody, refuseCall, type WireReply } from "./http-replies.ts";
import { type SandboxInvoiceRow, sandboxInvoicesTable } from "./schema.ts";
import { readManners } from "./scripted-behavior.ts";

const newInvoice = z.object({
  invoice_code: z.string().min(1).max(45),
  sender_invoice_no: z.string().min(1).max(45),
  invoice_receiver_code: z.string().min(1).max(45),
  invoice_description: z.string().min(1).max(255),
  amount: z.number(),
  callback_url: z.url().max(255),
  note: z.string().max(1_000).nullish(),
});

/** `POST /invoice`. A repeated `sender_invoice_no` creates another payable invoice, as at QPay. */
export async function createInvoice(request: Request, at: Date): Promise<WireReply> {
  const read = await readBody(request, newInvoice);
  if (!read.ok) return read.wire;
  const { body } = read;
  if (body.invoice_code !== sandboxMerchant.invoiceCode) return refuseCall("INVOICE_CODE_INVALID");
  if (!(body.amount >= 0.01) || body.amount > 1e12) return refuseCall("INVALID_AMOUNT");
  const id = crypto.randomUUID();
  const amount = body.amount.toFixed(2);
  const label = id.replaceAll("-", "").slice(0, 12).toUpperCase();
  const qrText = emvText({ amount, label, bill: body.sender_invoice_no });
  const shortUrl = `${publicUrl()}/sandbox/qpay/pay/${id}`;
  await db().insert(sandboxInvoicesTable).values({
    id,
    senderInvoiceNo: body.sender_invoice_no,
    receiverCode: body.invoice_receiver_code,
    description: body.invoice_description,
    amount,
    callbackUrl: body.callback_url,
    qrText,
    shortUrl,
    createdAt: at,
  });
  return answerCall({
    invoice_id: id,
    qr_text: qrText,
    qr_image: Buffer.from(await drawQr(qrText)).toString("base64"),
    qPay_shortUrl: shortUrl,
    urls: bankUrls(qrText),
  });
}

/** `GET /invoice/{id}`: amounts as strings, CANCELED in the spelling of the dialect. */
export async function showInvoice(id: string): Promise<WireReply> {
  const invoice = await findInvoice(id);
  if (invoice === undefined) return refuseCall("INVOICE_NOTFOUND", 422);
  const { dialect } = await readManners();
  const status = invoice.status === "CANCELED" && dialect === "b" ? "CANCELLED" : invoice.status;
  return answerCall({
    invoice_id: invoice.id,
    invoice_status: status,
    sender_invoice_no: invoice.senderInvoiceNo,
    sender_branch_code: null,
    invoice_receiver_code: invoice.receiverCode,
    invoice_description: invoice.description,
    total_amount: invoice.amount,
    gross_amount: invoice.amount,
    tax_amount: "0.00",
    surcharge_amount: "0.00",
    discount_amount: "0.00",
    callback_url: invoice.callbackUrl,
    expiry_date: null,
    enable_expiry: false,
    note: null,
    lines: [],
    transactions: [],
    inputs: [],
  });
}

/** `DELETE /invoice/{id}`: works once; then refuses INVOICE_ALREADY_CANCELED. A paid invoice: INVOICE_PAID. */
export async function withdrawInvoice(id: string): Promise<WireReply> {
  if (!isUuid(id)) return refuseCall("INVOICE_NOTFOUND", 422);
  return db().transaction(async (tx) => {
    const [invoice] = await tx
      .select()
      .from(sandboxInvoicesTable)
      .where(eq(sandboxInvoicesTable.id, id))
      .for("update");
    if (invoice === undefined) return refuseCall("INVOICE_NOTFOUND", 422);
    if (invoice.status === "CLOSED") return refuseCall("INVOICE_PAID");
    if (invoice.status === "CANCELED") return refuseCall("INVOICE_ALREADY_CANCELED");
    await tx.update(sandboxInvoicesTable).set({ status: "CANCELED" }).where(eq(sandboxInvoicesTable.id, id));
    return answerCall({});
  });
}

/** One invoice of the sandbox by its id; undefined when there is none. */
export async function findInvoice(id: string): Promise<SandboxInvoiceRow | undefined> {
  if (!isUuid(id)) return undefined;
  const [invoice] = await db().select().from(sandboxInvoicesTable).where(eq(sandboxInvoicesTable.id, id));
  return invoice;
}
