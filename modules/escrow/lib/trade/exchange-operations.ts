import { describeCall } from "#calls";
import { infoExchangeSchema } from "../core/responses.ts";
import { exchangeReplySchema, successReplySchema, tradeReplySchema } from "./view/responses.ts";

export const showInformation = describeCall({
  summary: "Get the information that both parties shared",
  group: "Exchange",
  by: "user",
  answers: infoExchangeSchema,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const shareInformation = describeCall({
  summary: "Share information with the other party",
  group: "Exchange",
  by: "user",
  answers: exchangeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "INFO_NOT_AVAILABLE", "INFO_TOO_OFTEN", "THROTTLED"],
});

export const confirmInformation = describeCall({
  summary: "Confirm the information that the other party shared",
  group: "Exchange",
  by: "user",
  answers: exchangeReplySchema,
  bodyOptional: true,
  refuses: ["TRANSACTION_NOT_FOUND", "INFO_NOT_AVAILABLE", "INFO_NOT_SHARED", "INFO_CHANGED"],
});

export const saveBankInfo = describeCall({
  summary: "Save the seller's account for the payout, or the buyer's contact details",
  group: "Exchange",
  by: "user",
  answers: exchangeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "BANK_INFO_FINAL", "BUYER_ONLY", "SELLER_ONLY", "INFO_NOT_AVAILABLE"],
});

export const saveRefundAccount = describeCall({
  summary: "Save the account for a refund",
  group: "Exchange",
  by: "user",
  answers: successReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "BUYER_ONLY", "NO_REFUND_DUE", "REFUND_DESTINATION_FINAL", "THROTTLED"],
});

export const handOverGoods = describeCall({
  summary: "Record that the goods were handed over",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  bodyOptional: true,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "SELLER_ONLY",
    "NOT_PAID_YET",
    "TRADE_OVERTAKEN",
    "CANCELLATION_PENDING",
  ],
});

export const confirmCompletion = describeCall({
  summary: "Confirm completion: the buyer first, then the seller",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "NOT_PAID_YET",
    "TRADE_OVERTAKEN",
    "CANCELLATION_PENDING",
    "BUYER_FIRST",
    "DESTINATION_MISSING",
  ],
});

export const requestCancellation = describeCall({
  summary: "Ask to cancel, or agree to the other party's request",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "NOT_PAID_YET", "TRADE_OVERTAKEN", "TRADE_ON_HOLD", "THROTTLED"],
});

export const withdrawCancellation = describeCall({
  summary: "Withdraw your request to cancel",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "NOT_PAID_YET", "TRADE_OVERTAKEN", "THROTTLED"],
});
