import { z } from "zod";
import { describeCall } from "#calls";
import { historyInput, sendMessageInput } from "#forms/rooms";
import { messageAnswer } from "#modules/rooms";
import { stepViewSchema } from "../core/responses.ts";
import { tradeStatuses } from "../machine/trade-types.ts";
import { findingKinds } from "../payment/payment-finding.ts";
import {
  historyViewSchema,
  invoiceViewSchema,
  successReplySchema,
  tradeReplySchema,
  tradeViewSchema,
  transactionViewSchema,
} from "./view/responses.ts";

const invoiceRefusals = [
  "TRANSACTION_NOT_FOUND",
  "BUYER_ONLY",
  "TRADE_OVERTAKEN",
  "WINDOW_OVER",
  "TRADE_ON_HOLD",
  "INVOICE_CLOSED",
  "INVOICING_BUSY",
  "TOO_MANY_INVOICES",
  "PROVIDER_UNAVAILABLE",
  "PROVIDER_REFUSED",
  "THROTTLED",
] as const;

const amendmentRefusals = [
  "TRANSACTION_NOT_FOUND",
  "SELLER_ONLY",
  "TRADE_OVERTAKEN",
  "MONEY_BOOKED",
  "TRADE_ON_HOLD",
  "WINDOW_OVER",
  "AMOUNT_INVALID",
  "NET_TOO_SMALL",
  "INVOICING_BUSY",
  "TOO_MANY_INVOICES",
  "THROTTLED",
] as const;

const verificationSchema = successReplySchema.extend({
  status: z.enum(tradeStatuses),
  finding: z
    .enum(findingKinds)
    .describe(
      "What was found: `held_for_checking`, pay nothing more while Midman looks at what came; `trade_checked`, a report put the transaction on hold, so pay nothing and hand nothing over; `refunding`, `refunded`, `ended`, the transaction is over; `unanswered`, the provider said nothing.",
    ),
});

export const listOwnTransactions = describeCall({
  summary: "One's transactions, newest first",
  group: "Transactions",
  by: "user",
  answers: z.array(historyViewSchema),
});

export const showOwnTransaction = describeCall({
  summary: "A transaction as its party sees it",
  group: "Transactions",
  by: "user",
  answers: tradeViewSchema,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const listSteps = describeCall({
  summary: "Its five steps",
  group: "Transactions",
  by: "user",
  answers: z.array(stepViewSchema),
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const showTransactionOfRoom = describeCall({
  summary: "The transaction of a room, or none",
  group: "Transactions",
  by: "user",
  answers: z.array(tradeViewSchema),
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const listMessages = describeCall({
  summary: "A page of what was said in its room",
  group: "Transactions",
  by: "user",
  answers: z.array(messageAnswer),
  query: historyInput,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const sendTradeMessage = describeCall({
  summary: "Say something in its room",
  group: "Transactions",
  by: "user",
  answers: messageAnswer,
  status: [201],
  body: sendMessageInput,
  refuses: ["TRANSACTION_NOT_FOUND", "CHAT_ROOM_NOT_FOUND", "CLIENT_ID_REUSED", "THROTTLED"],
});

export const createTransaction = describeCall({
  summary: "Ask for payment in a room; a repeat is answered with the first",
  group: "Transactions",
  by: "user",
  answers: transactionViewSchema.extend(successReplySchema.shape),
  status: [200, 201],
  refuses: [
    "CHAT_ROOM_NOT_FOUND",
    "SELLERS_CREATE",
    "SELLER_MISMATCH",
    "SEATS_EMPTY",
    "FEE_MISMATCH",
    "AMOUNT_INVALID",
    "NET_TOO_SMALL",
    "TRADE_EXISTS",
    "TRADE_COMPLETED",
    "ACCOUNT_LIMITED",
    "PERSON_UNAVAILABLE",
    "THROTTLED",
  ],
});

export const amendTransaction = describeCall({
  summary: "Set its sums right while nothing is paid",
  group: "Transactions",
  by: "user",
  answers: transactionViewSchema.extend(successReplySchema.shape),
  refuses: amendmentRefusals,
});

export const amendTransactionByPost = describeCall({
  summary: "The same as a POST",
  group: "Transactions",
  by: "user",
  answers: transactionViewSchema.extend(successReplySchema.shape),
  refuses: amendmentRefusals,
});

export const withdrawRequest = describeCall({
  summary: "Take it back while nothing is paid",
  group: "Transactions",
  by: "user",
  answers: tradeReplySchema,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "SELLER_ONLY",
    "TRADE_OVERTAKEN",
    "MONEY_BOOKED",
    "TRADE_ON_HOLD",
    "INVOICING_BUSY",
  ],
});

export const issuePaymentInvoice = describeCall({
  summary: "The invoice to pay, with the banks' links",
  group: "Payment provider",
  by: "user",
  answers: invoiceViewSchema.extend({ success: z.boolean(), transactionId: z.int() }),
  refuses: invoiceRefusals,
});

export const markAsPaid = describeCall({
  summary: "Say that one has paid; the provider is asked",
  group: "Payment provider",
  by: "user",
  answers: verificationSchema,
  refuses: ["TRANSACTION_NOT_FOUND", "BUYER_ONLY", "PAYMENT_NOT_REQUESTED", "TRADE_OVERTAKEN"],
});

export const verifyOwnPayment = describeCall({
  summary: "Have the provider asked for one's payment",
  group: "Payment provider",
  by: "user",
  answers: verificationSchema,
  refuses: ["TRANSACTION_NOT_FOUND", "BUYER_ONLY", "PAYMENT_NOT_REQUESTED"],
});
