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
      "What was found. `held_for_checking`: pay nothing more while Midman checks the payment. `trade_checked`: a report put the transaction on hold, so pay nothing and hand nothing over. `refunding`, `refunded`, `ended`: the transaction is over. `unanswered`: the provider did not answer.",
    ),
});

export const listOwnTransactions = describeCall({
  summary: "List your transactions, newest first",
  group: "Transactions",
  by: "user",
  answers: z.array(historyViewSchema),
});

export const showOwnTransaction = describeCall({
  summary: "Get one of your transactions",
  group: "Transactions",
  by: "user",
  answers: tradeViewSchema,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const listSteps = describeCall({
  summary: "List the five steps of a transaction",
  group: "Transactions",
  by: "user",
  answers: z.array(stepViewSchema),
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const showTransactionOfRoom = describeCall({
  summary: "Get the transaction of a room, if there is one",
  group: "Transactions",
  by: "user",
  answers: z.array(tradeViewSchema),
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const listMessages = describeCall({
  summary: "List the messages of a transaction's room",
  group: "Transactions",
  by: "user",
  answers: z.array(messageAnswer),
  query: historyInput,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const sendTradeMessage = describeCall({
  summary: "Send a message to a transaction's room",
  group: "Transactions",
  by: "user",
  answers: messageAnswer,
  status: [201],
  body: sendMessageInput,
  refuses: ["TRANSACTION_NOT_FOUND", "CHAT_ROOM_NOT_FOUND", "CLIENT_ID_REUSED", "THROTTLED"],
});

export const createTransaction = describeCall({
  summary: "Request a payment in a room; a repeat returns the first transaction",
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
  summary: "Correct a payment request while nothing is paid",
  group: "Transactions",
  by: "user",
  answers: transactionViewSchema.extend(successReplySchema.shape),
  refuses: amendmentRefusals,
});

export const amendTransactionByPost = describeCall({
  summary: "Correct a payment request while nothing is paid, as a POST",
  group: "Transactions",
  by: "user",
  answers: transactionViewSchema.extend(successReplySchema.shape),
  refuses: amendmentRefusals,
});

export const withdrawRequest = describeCall({
  summary: "Withdraw a payment request while nothing is paid",
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
  summary: "Issue the invoice to pay, with links to the bank apps",
  group: "Payment provider",
  by: "user",
  answers: invoiceViewSchema.extend({ success: z.boolean(), transactionId: z.int() }),
  refuses: invoiceRefusals,
});

export const markAsPaid = describeCall({
  summary: "Mark a transaction as paid and check the payment",
  group: "Payment provider",
  by: "user",
  answers: verificationSchema,
  refuses: ["TRANSACTION_NOT_FOUND", "BUYER_ONLY", "PAYMENT_NOT_REQUESTED", "TRADE_OVERTAKEN"],
});

export const verifyOwnPayment = describeCall({
  summary: "Check a payment with the provider",
  group: "Payment provider",
  by: "user",
  answers: verificationSchema,
  refuses: ["TRANSACTION_NOT_FOUND", "BUYER_ONLY", "PAYMENT_NOT_REQUESTED"],
});
