import { describeCall } from "#calls";
import { tradeReplySchema } from "../trade/view/responses.ts";
import type * as verbs from "./open-dispute.ts";

export const openDispute = describeCall<typeof verbs.openDispute>({
  summary: "Open a dispute",
  group: "Disputes",
  by: "user",
  answers: tradeReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    NOT_PAID_YET: true,
    MONEY_ALREADY_SENT: true,
    PAYOUT_APPROVED: true,
    DISPUTE_OPEN: true,
    TRADE_OVERTAKEN: true,
    THROTTLED: true,
  },
});

export const explainDispute = describeCall<typeof verbs.explainDispute>({
  summary: "Add your statement to a dispute",
  group: "Disputes",
  by: "user",
  answers: tradeReplySchema,
  refuses: { TRANSACTION_NOT_FOUND: true, TRADE_OVERTAKEN: true, STATEMENT_TOO_OFTEN: true, THROTTLED: true },
});

export const withdrawOpenDispute = describeCall<typeof verbs.withdrawDispute>({
  summary: "Withdraw a dispute that you opened",
  group: "Disputes",
  by: "user",
  answers: tradeReplySchema,
  bodyOptional: true,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    DISPUTE_NOT_YOURS: true,
    DISPUTE_CHANGED: true,
    TRADE_OVERTAKEN: true,
    NOT_PAID_YET: true,
    THROTTLED: true,
  },
});
