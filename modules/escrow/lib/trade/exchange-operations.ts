import { describeCall } from "#calls";
import { infoExchangeSchema } from "../core/responses.ts";
import { exchangeReplySchema, successReplySchema, tradeReplySchema } from "./view/responses.ts";

export const showInformation = describeCall({
  summary: "What the two sides told each other",
  group: "Exchange",
  by: "user",
  answers: infoExchangeSchema,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const shareInformation = describeCall({
  summary: "Tell the other side something",
  group: "Exchange",
  by: "user",
  answers: exchangeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "INFO_NOT_AVAILABLE", "INFO_TOO_OFTEN", "THROTTLED"],
});

export const confirmInformation = describeCall({
  summary: "Confirm what the other side shared",
  group: "Exchange",
  by: "user",
  answers: exchangeReplySchema,
  bodyOptional: true,
  refuses: ["TRANSACTION_NOT_FOUND", "INFO_NOT_AVAILABLE", "INFO_NOT_SHARED", "INFO_CHANGED"],
});

export const saveBankInfo = describeCall({
  summary: "The seller's account for the payout, or how the buyer is reached",
  group: "Exchange",
  by: "user",
  answers: exchangeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "BANK_INFO_FINAL", "BUYER_ONLY", "SELLER_ONLY", "INFO_NOT_AVAILABLE"],
});

export const saveRefundAccount = describeCall({
  summary: "The account a refund goes to",
  group: "Exchange",
  by: "user",
  answers: successReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "BUYER_ONLY", "NO_REFUND_DUE", "REFUND_DESTINATION_FINAL", "THROTTLED"],
});

export const handOverGoods = describeCall({
  summary: "Say that the goods were handed over",
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
  summary: "Ask to cancel, or agree to the other's asking",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "NOT_PAID_YET", "TRADE_OVERTAKEN", "TRADE_ON_HOLD", "THROTTLED"],
});

export const withdrawCancellation = describeCall({
  summary: "Take back that one asked to cancel",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "NOT_PAID_YET", "TRADE_OVERTAKEN", "THROTTLED"],
});
