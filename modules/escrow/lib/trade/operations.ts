import { z } from "zod";
import { describeCall } from "#calls";
import { historyInput, sendMessageInput } from "#forms/rooms";
import { messageAnswer } from "#modules/rooms";
import { stepViewSchema } from "../core/responses.ts";
import { tradeStatuses } from "../machine/trade-types.ts";
import type { verifyPayment } from "../payment/check-payment.ts";
import type { issueInvoice } from "../payment/issue-invoice.ts";
import type { markPaid } from "../payment/mark-paid.ts";
import { findingKinds } from "../payment/payment-finding.ts";
import type { amendTrade } from "./amend-trade.ts";
import type { createTrade } from "./create-trade.ts";
import type * as messages from "./trade-messages.ts";
import type { historyOf } from "./view/history.ts";
import {
  historyViewSchema,
  invoiceViewSchema,
  successReplySchema,
  tradeReplySchema,
  tradeViewSchema,
  transactionViewSchema,
} from "./view/responses.ts";
import type { readTradeSteps } from "./view/step-views.ts";
import type { readTrade, tradeOfRoom } from "./view/trade-view.ts";
import type * as verbs from "./withdraw-request.ts";

const invoiceRefusals = {
  TRANSACTION_NOT_FOUND: true,
  BUYER_ONLY: true,
  TRADE_OVERTAKEN: true,
  WINDOW_OVER: true,
  TRADE_ON_HOLD: true,
  INVOICE_CLOSED: true,
  INVOICING_BUSY: true,
  TOO_MANY_INVOICES: true,
  PROVIDER_UNAVAILABLE: true,
  PROVIDER_REFUSED: true,
  THROTTLED: true,
} as const;

const amendmentRefusals = {
  TRANSACTION_NOT_FOUND: true,
  SELLER_ONLY: true,
  TRADE_OVERTAKEN: true,
  GOODS_FIXED: true,
  MONEY_BOOKED: true,
  TRADE_ON_HOLD: true,
  WINDOW_OVER: true,
  AMOUNT_INVALID: true,
  NET_TOO_SMALL: true,
  INVOICING_BUSY: true,
  TOO_MANY_INVOICES: true,
  THROTTLED: true,
} as const;

const verificationSchema = successReplySchema.extend({
  status: z.enum(tradeStatuses),
  finding: z
    .enum(findingKinds)
    .describe(
      "The result. `held_for_checking`: Midman is checking the payment; don't pay again. `trade_checked`: a report put the transaction on hold; don't pay and don't hand anything over. `refunding`, `refunded`, `ended`: the transaction has ended. `unanswered`: the provider did not reply.",
    ),
});

export const listOwnTransactions = describeCall<typeof historyOf>({
  summary: "List your transactions, newest first",
  group: "Transactions",
  by: "user",
  answers: z.array(historyViewSchema),
});

export const showOwnTransaction = describeCall<typeof readTrade>({
  summary: "Get one of your transactions",
  group: "Transactions",
  by: "user",
  answers: tradeViewSchema,
  refuses: { TRANSACTION_NOT_FOUND: true },
});

export const listSteps = describeCall<typeof readTradeSteps>({
  summary: "List the five steps of a transaction",
  group: "Transactions",
  by: "user",
  answers: z.array(stepViewSchema),
  refuses: { TRANSACTION_NOT_FOUND: true },
});

export const showTransactionOfRoom = describeCall<typeof tradeOfRoom>({
  summary: "Get a room's transaction, if there is one",
  group: "Transactions",
  by: "user",
  answers: z.array(tradeViewSchema),
  refuses: { CHAT_ROOM_NOT_FOUND: true },
});

export const listMessages = describeCall<typeof messages.readTradeMessages>({
  summary: "List the messages of a transaction's room",
  group: "Transactions",
  by: "user",
  answers: z.array(messageAnswer),
  query: historyInput,
  refuses: { TRANSACTION_NOT_FOUND: true },
});

export const sendTradeMessage = describeCall<typeof messages.sendTradeMessage>({
  summary: "Send a message to a transaction's room",
  group: "Transactions",
  by: "user",
  answers: messageAnswer,
  status: [201],
  body: sendMessageInput,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    CHAT_ROOM_NOT_FOUND: true,
    CLIENT_ID_REUSED: true,
    THROTTLED: true,
  },
});

export const createTransaction = describeCall<typeof createTrade>({
  summary: "Request a payment in a room; a repeated request returns the first transaction",
  group: "Transactions",
  by: "user",
  answers: transactionViewSchema.extend(successReplySchema.shape),
  status: [200, 201],
  refuses: {
    CHAT_ROOM_NOT_FOUND: true,
    SELLERS_CREATE: true,
    SELLER_MISMATCH: true,
    SEATS_EMPTY: true,
    FEE_MISMATCH: true,
    AMOUNT_INVALID: true,
    NET_TOO_SMALL: true,
    TRADE_EXISTS: true,
    TRADE_COMPLETED: true,
    ACCOUNT_LIMITED: true,
    PERSON_UNAVAILABLE: true,
    THROTTLED: true,
  },
});

export const amendTransaction = describeCall<typeof amendTrade>({
  summary: "Amend an unpaid payment request",
  group: "Transactions",
  by: "user",
  answers: transactionViewSchema.extend(successReplySchema.shape),
  refuses: amendmentRefusals,
});

export const amendTransactionByPost = describeCall<typeof amendTrade>({
  summary: "Amend an unpaid payment request with POST",
  group: "Transactions",
  by: "user",
  answers: transactionViewSchema.extend(successReplySchema.shape),
  refuses: amendmentRefusals,
});

export const withdrawRequest = describeCall<typeof verbs.withdrawRequest>({
  summary: "Withdraw an unpaid payment request",
  group: "Transactions",
  by: "user",
  answers: tradeReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    SELLER_ONLY: true,
    TRADE_OVERTAKEN: true,
    MONEY_BOOKED: true,
    TRADE_ON_HOLD: true,
    INVOICING_BUSY: true,
  },
});

export const issuePaymentInvoice = describeCall<typeof issueInvoice>({
  summary: "Create the invoice to pay, with links to the bank apps",
  group: "Payment provider",
  by: "user",
  answers: invoiceViewSchema.extend({ success: z.boolean(), transactionId: z.int() }),
  refuses: invoiceRefusals,
});

export const markAsPaid = describeCall<typeof markPaid>({
  summary: "Mark a transaction as paid and check the payment",
  group: "Payment provider",
  by: "user",
  answers: verificationSchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    BUYER_ONLY: true,
    PAYMENT_NOT_REQUESTED: true,
    TRADE_OVERTAKEN: true,
  },
});

export const verifyOwnPayment = describeCall<typeof verifyPayment>({
  summary: "Check a payment with the provider",
  group: "Payment provider",
  by: "user",
  answers: verificationSchema,
  refuses: { TRANSACTION_NOT_FOUND: true, BUYER_ONLY: true, PAYMENT_NOT_REQUESTED: true },
});
