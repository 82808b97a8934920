import { z } from "zod";
import { describeCall } from "#calls";
import { tradeStatuses } from "../machine/trade-types.ts";

const invoiceRefusals = [
  "TRADE_ON_HOLD",
  "TRANSACTION_NOT_FOUND",
  "BUYER_ONLY",
  "TRADE_OVERTAKEN",
  "WINDOW_OVER",
  "INVOICE_CLOSED",
  "INVOICING_BUSY",
  "TOO_MANY_INVOICES",
  "PROVIDER_UNAVAILABLE",
  "PROVIDER_REFUSED",
  "THROTTLED",
] as const;

export const issueInvoice = describeCall({
  summary: "Get the invoice to pay, created if there is none",
  group: "Payment provider",
  by: "user",
  answers: z.object({ success: z.boolean(), invoiceId: z.string(), qrImageUrl: z.string().nullable() }),
  refuses: invoiceRefusals,
});

export const createPayment = describeCall({
  summary: "Get only the QR code of the invoice to pay",
  group: "Payment provider",
  by: "user",
  answers: z.object({ qrImageUrl: z.string().nullable() }),
  refuses: invoiceRefusals,
});

export const showInvoiceStatus = describeCall({
  summary: "Get the status of an invoice",
  group: "Payment provider",
  by: "user",
  answers: z.object({
    status: z.enum(["PAID", "PENDING", "CANCELLED"]),
    transactionStatus: z.enum(tradeStatuses),
  }),
  refuses: ["INVOICE_NOT_FOUND"],
});

export const showInvoiceQr = describeCall({
  summary: "Get the QR code of an invoice",
  group: "Payment provider",
  by: "user",
  file: "image/png",
  refuses: ["INVOICE_NOT_FOUND"],
});

export const showQrFile = describeCall({
  summary: "Get the QR code of an invoice at the address in replies",
  group: "Payment provider",
  by: "user",
  file: "image/png",
  refuses: ["INVOICE_NOT_FOUND"],
});

export const receiveCallback = describeCall({
  summary: "Receive the provider's payment callback",
  group: "Payment provider",
  by: "anybody",
  file: "text/plain",
  query: z.object({ qpay_payment_id: z.string().optional() }),
  refuses: ["INVOICE_NOT_FOUND"],
});

export const receivePostedCallback = describeCall({
  summary: "Receive the provider's payment callback as a POST",
  group: "Payment provider",
  by: "anybody",
  file: "text/plain",
  query: z.object({ qpay_payment_id: z.string().optional() }),
  refuses: ["INVOICE_NOT_FOUND"],
});
