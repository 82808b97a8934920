import { describeCall } from "#calls";
import { tradeReplySchema } from "../trade/view/responses.ts";

export const openDispute = describeCall({
  summary: "Open a dispute",
  group: "Disputes",
  by: "user",
  answers: tradeReplySchema,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "NOT_PAID_YET",
    "MONEY_ALREADY_SENT",
    "PAYOUT_APPROVED",
    "DISPUTE_OPEN",
    "TRADE_OVERTAKEN",
    "THROTTLED",
  ],
});

export const explainDispute = describeCall({
  summary: "Explain your side of a dispute",
  group: "Disputes",
  by: "user",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "TRADE_OVERTAKEN", "STATEMENT_TOO_OFTEN", "THROTTLED"],
});

export const withdrawOpenDispute = describeCall({
  summary: "Withdraw a dispute that you opened",
  group: "Disputes",
  by: "user",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "DISPUTE_NOT_YOURS", "TRADE_OVERTAKEN", "NOT_PAID_YET", "THROTTLED"],
});
