import type { BankLink } from "../provider/provider-types.ts";
import { findBankApp } from "./bank-apps.ts";
import type { Qpay } from "./client.ts";
import { type CallFailure, unknownOutcome } from "./http-exchange.ts";
import {
  bankLinkSchema,
  createdIdSchema,
  createdInvoiceSchema,
  invoiceStateSchema,
} from "./reply-schemas.ts";

export type NewInvoice = {
  senderInvoiceNo: string;
  description: string;
  amount: number;
  callbackUrl: string;
};
export type CreatedInvoice = {
  ok: true;
  providerId: string;
  qrText: string;
  shortUrl: string | null;
  bankLinks: BankLink[];
};

/** Time budget of a creation in ms, including the renewal of the token. */
const CREATION_MS = 25_000;

/**
 * Creates one invoice with a single call: a repeated call would create a second payable one. After `PROVIDER_UNAVAILABLE` with `sent` an
 * invoice may exist at the provider; `providerId` is set when the reply was unusable but contained the id.
 */
export async function createInvoice(
  qpay: Qpay,
  { senderInvoiceNo, description, amount, callbackUrl }: NewInvoice,
): Promise<CreatedInvoice | (CallFailure & { providerId?: string })> {
  const reply = await qpay.call({
    method: "POST",
    path: "/invoice",
    repeatable: false,
    signal: AbortSignal.timeout(CREATION_MS),
    body: {
      invoice_code: qpay.invoiceCode,
      sender_invoice_no: senderInvoiceNo,
      invoice_receiver_code: "terminal",
      invoice_description: [...description].slice(0, 255).join(""),
      amount,
      callback_url: callbackUrl,
      allow_partial: false,
      allow_exceed: false,
    },
  });
  if (!reply.ok) return reply;
  const read = createdInvoiceSchema.safeParse(reply.body);
  if (read.success) {
    return {
      ok: true,
      providerId: read.data.invoice_id,
      qrText: read.data.qr_text,
      shortUrl: webAddress(read.data.qPay_shortUrl),
      bankLinks: bankLinks(read.data.urls ?? []),
    };
  }
  const something = createdIdSchema.safeParse(reply.body);
  return {
    ...unknownOutcome("unreadable invoice"),
    ...(something.success && { providerId: something.data.invoice_id }),
  };
}

/** The `sender_invoice_no` of an invoice and its status at the provider; both spellings of cancelled become CANCELLED. */
export async function getInvoice(
  qpay: Qpay,
  providerId: string,
): Promise<{ ok: true; senderInvoiceNo: string; status: string } | CallFailure> {
  const path = `/invoice/${encodeURIComponent(providerId)}`;
  const reply = await qpay.call({ method: "GET", path, repeatable: true });
  if (!reply.ok) return reply;
  const read = invoiceStateSchema.safeParse(reply.body);
  if (!read.success) return unknownOutcome("unreadable invoice");
  const status = read.data.invoice_status.toUpperCase();
  return {
    ok: true,
    senderInvoiceNo: read.data.sender_invoice_no,
    status: status === "CANCELED" ? "CANCELLED" : status,
  };
}

/** Withdraws an invoice; safe to repeat. It may still have been paid: the caller must check it afterwards. */
export async function cancelInvoice(
  qpay: Qpay,
  providerId: string,
): Promise<{ ok: true; outcome: "cancelled" | "paid" | "absent" } | CallFailure> {
  const path = `/invoice/${encodeURIComponent(providerId)}`;
  const reply = await qpay.call({ method: "DELETE", path, repeatable: true });
  if (reply.ok) return { ok: true, outcome: "cancelled" };
  if (reply.code === "PROVIDER_UNAVAILABLE") return reply;
  const outcome = withdrawalOutcomes.get(reply.providerCode);
  return outcome ? { ok: true, outcome } : reply;
}

const withdrawalOutcomes = new Map<string, "cancelled" | "paid" | "absent">([
  ["INVOICE_ALREADY_CANCELED", "cancelled"],
  ["INVOICE_ALREADY_CANCELLED", "cancelled"],
  ["INVOICE_PAID", "paid"],
  ["INVOICE_NOTFOUND", "absent"],
]);

function bankLinks(urls: unknown[]): BankLink[] {
  return urls.flatMap((url) => {
    const read = bankLinkSchema.safeParse(url);
    if (!read.success || findBankApp(read.data.link) === undefined) return [];
    const { name, description, link } = read.data;
    return [{ name, description: description ?? "", logo: "", link }];
  });
}

function webAddress(url: string | null | undefined): string | null {
  return url && /^https?:\/\/[^\s]+$/i.test(url) ? url : null;
}
