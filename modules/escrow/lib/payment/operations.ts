import { z } from "zod";
import { describeCall } from "#calls";
import { tradeStatuses } from "../machine/trade-types.ts";
import type { findInvoiceForParty, readInvoiceQr } from "./find-invoice.ts";
import type * as verbs from "./issue-invoice.ts";
import type { onProviderCallback } from "./provider-callback.ts";

const invoiceRefusals = {
  TRADE_ON_HOLD: true,
  TRANSACTION_NOT_FOUND: true,
  BUYER_ONLY: true,
  TRADE_OVERTAKEN: true,
  WINDOW_OVER: true,
  INVOICE_CLOSED: true,
  INVOICING_BUSY: true,
  TOO_MANY_INVOICES: true,
  PROVIDER_UNAVAILABLE: true,
  PROVIDER_REFUSED: true,
  THROTTLED: true,
} as const;

export const issueInvoice = describeCall<typeof verbs.issueInvoice>({
  summary: "Get the current invoice, or create one",
  group: "Payment provider",
  by: "user",
  answers: z.object({ success: z.boolean(), invoiceId: z.string(), qrImageUrl: z.string().nullable() }),
  refuses: invoiceRefusals,
});

export const createPayment = describeCall<typeof verbs.issueInvoice>({
  summary: "Get the QR code of the current invoice",
  group: "Payment provider",
  by: "user",
  answers: z.object({ qrImageUrl: z.string().nullable() }),
  refuses: invoiceRefusals,
});

export const showInvoiceStatus = describeCall<typeof findInvoiceForParty>({
  summary: "Get the status of an invoice",
  group: "Payment provider",
  by: "user",
  answers: z.object({
    status: z.enum(["PAID", "PENDING", "CANCELLED"]),
    transactionStatus: z.enum(tradeStatuses),
  }),
  refuses: { INVOICE_NOT_FOUND: true },
});

export const showInvoiceQr = describeCall<typeof readInvoiceQr>({
  summary: "Get an invoice's QR image",
  group: "Payment provider",
  by: "user",
  file: "image/png",
  refuses: { INVOICE_NOT_FOUND: true },
});

export const showQrFile = describeCall<typeof readInvoiceQr>({
  summary: "Get an invoice's QR image (public address)",
  group: "Payment provider",
  by: "user",
  file: "image/png",
  refuses: { INVOICE_NOT_FOUND: true },
});

export const receiveCallback = describeCall<typeof onProviderCallback>({
  summary: "Receive the provider's payment callback",
  group: "Payment provider",
  by: "anybody",
  file: "text/plain",
  query: z.object({ qpay_payment_id: z.string().optional() }),
  refuses: { INVOICE_NOT_FOUND: true },
});

export const receivePostedCallback = describeCall<typeof onProviderCallback>({
  summary: "Receive the provider's payment callback with POST",
  group: "Payment provider",
  by: "anybody",
  file: "text/plain",
  query: z.object({ qpay_payment_id: z.string().optional() }),
  refuses: { INVOICE_NOT_FOUND: true },
});
