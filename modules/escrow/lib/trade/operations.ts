import { z } from "zod";
import { call } from "#calls";
import { historyInput, sendMessageInput } from "#forms/rooms";
import { messageAnswer } from "#modules/rooms";
import { stepView } from "../core/responses.ts";
import { statuses } from "../machine/trade-types.ts";
import { findingKinds } from "../payment/payment-finding.ts";
import { done, historyView, invoiceView, tradeView, transactionView, withTrade } from "./view/responses.ts";

const invoicing = [
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

const amending = [
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

const verified = done.extend({
  status: z.enum(statuses),
  finding: z
    .enum(findingKinds)
    .describe(
      "What was found: `held_for_checking`, pay nothing more while Midman looks at what came; `trade_checked`, a report put the transaction on hold, so pay nothing and hand nothing over; `refunding`, `refunded`, `ended`, the transaction is over; `unanswered`, the provider said nothing.",
    ),
});

export const listOwnTransactions = call({
  summary: "One's transactions, newest first",
  group: "Transactions",
  by: "user",
  answers: z.array(historyView),
});

export const showOwnTransaction = call({
  summary: "A transaction as its party sees it",
  group: "Transactions",
  by: "user",
  answers: tradeView,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const listSteps = call({
  summary: "Its five steps",
  group: "Transactions",
  by: "user",
  answers: z.array(stepView),
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const showTransactionOfRoom = call({
  summary: "The transaction of a room, or none",
  group: "Transactions",
  by: "user",
  answers: z.array(tradeView),
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const listMessages = call({
  summary: "A page of what was said in its room",
  group: "Transactions",
  by: "user",
  answers: z.array(messageAnswer),
  query: historyInput,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const send = call({
  summary: "Say something in its room",
  group: "Transactions",
  by: "user",
  answers: messageAnswer,
  status: [201],
  body: sendMessageInput,
  refuses: ["TRANSACTION_NOT_FOUND", "CHAT_ROOM_NOT_FOUND", "CLIENT_ID_REUSED", "THROTTLED"],
});

export const createTransaction = call({
  summary: "Ask for payment in a room; a repeat is answered with the first",
  group: "Transactions",
  by: "user",
  answers: transactionView.extend(done.shape),
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

export const amendTransaction = call({
  summary: "Set its sums right while nothing is paid",
  group: "Transactions",
  by: "user",
  answers: transactionView.extend(done.shape),
  refuses: amending,
});

export const amendTransactionByPost = call({
  summary: "The same as a POST",
  group: "Transactions",
  by: "user",
  answers: transactionView.extend(done.shape),
  refuses: amending,
});

export const withdraw = call({
  summary: "Take it back while nothing is paid",
  group: "Transactions",
  by: "user",
  answers: withTrade,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "SELLER_ONLY",
    "TRADE_OVERTAKEN",
    "MONEY_BOOKED",
    "TRADE_ON_HOLD",
    "INVOICING_BUSY",
  ],
});

export const pay = call({
  summary: "The invoice to pay, with the banks' links",
  group: "Payment provider",
  by: "user",
  answers: invoiceView.extend({ success: z.boolean(), transactionId: z.int() }),
  refuses: invoicing,
});

export const markAsPaid = call({
  summary: "Say that one has paid; the provider is asked",
  group: "Payment provider",
  by: "user",
  answers: verified,
  refuses: ["TRANSACTION_NOT_FOUND", "BUYER_ONLY", "PAYMENT_NOT_REQUESTED", "TRADE_OVERTAKEN"],
});

export const verify = call({
  summary: "Have the provider asked for one's payment",
  group: "Payment provider",
  by: "user",
  answers: verified,
  refuses: ["TRANSACTION_NOT_FOUND", "BUYER_ONLY", "PAYMENT_NOT_REQUESTED"],
});
