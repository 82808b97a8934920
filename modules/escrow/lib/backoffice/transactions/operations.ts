import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema, tradeReplySchema } from "../../trade/view/responses.ts";
import { workQueueSchema } from "../treasury/responses.ts";
import {
  adminStatsSchema,
  adminTradeViewSchema,
  listedTradeSchema,
  rulingPreviewSchema,
} from "./responses.ts";

export const showStats = describeCall({
  summary: "Get the three figures of the dashboard",
  group: "Back office: transactions",
  by: "admin",
  answers: adminStatsSchema,
});

export const showWorkQueue = describeCall({
  summary: "Get the administrators' work queue",
  group: "Back office: transactions",
  by: "admin",
  answers: workQueueSchema,
});

export const listTransactions = describeCall({
  summary: "List transactions; the `Link` header names the next page",
  group: "Back office: transactions",
  by: "admin",
  answers: z.array(listedTradeSchema),
});

export const showTransaction = describeCall({
  summary: "Get a transaction with all that administrators see of it",
  group: "Back office: transactions",
  by: "admin",
  answers: adminTradeViewSchema,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const notifyParties = describeCall({
  summary: "Mail the transaction's status to both parties",
  group: "Back office: transactions",
  by: "admin",
  answers: successReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "THROTTLED"],
});

export const completeAsAdministrator = describeCall({
  summary:
    "Close a transaction; held money is recorded as sent to the seller, only to the account that was shown if one is named",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  bodyOptional: true,
  refuses: [
    "INVOICING_BUSY",
    "TRADE_ON_HOLD",
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "REAUTH_REQUIRED",
    "TRADE_OVERTAKEN",
    "DESTINATION_MISSING",
    "DESTINATION_REQUIRED",
    "DISPUTE_NOT_TAKEN",
    "DISPUTE_TAKEN",
    "FOUR_EYES_REQUIRED",
    "FOUR_EYES_RELATED",
    "PAYOUT_CLAIMED",
    "PAYOUT_CONFLICT",
    "ACCOUNT_JUST_CORRECTED",
    "MONEY_HALTED",
  ],
});

export const paySeller = describeCall({
  summary: "Pay the seller held money that the parties did not both confirm",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "REAUTH_REQUIRED",
    "SUM_DIFFERS",
    "DESTINATION_MISSING",
    "NOT_PAID_YET",
    "TRADE_OVERTAKEN",
    "DISPUTE_NOT_TAKEN",
    "DISPUTE_TAKEN",
  ],
});

export const cancelAsAdministrator = describeCall({
  summary: "Cancel a transaction; held money becomes a refund",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  refuses: [
    "INVOICING_BUSY",
    "TRADE_ON_HOLD",
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "REAUTH_REQUIRED",
    "PAYOUT_APPROVED",
    "MONEY_ALREADY_SENT",
    "TRADE_OVERTAKEN",
    "DISPUTE_NOT_TAKEN",
    "DISPUTE_TAKEN",
    "FOUR_EYES_REQUIRED",
  ],
});

export const hideTransaction = describeCall({
  summary: "Hide a transaction that has ended from every list",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "TRADE_UNDER_WAY",
    "MONEY_HELD",
    "DISPUTE_NOT_TAKEN",
    "DISPUTE_TAKEN",
  ],
});

export const settlePayout = describeCall({
  summary: "Approve and send what is due in one step, with the bank reference",
  group: "Back office: transactions",
  by: "freshAdmin",
  answers: tradeReplySchema,
  refuses: [
    "TRADE_ON_HOLD",
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "NOTHING_DUE",
    "DESTINATION_REQUIRED",
    "DESTINATION_DIGEST_REQUIRED",
    "ACCOUNT_JUST_CORRECTED",
    "FOUR_EYES_REQUIRED",
    "FOUR_EYES_RELATED",
    "PAYOUT_CLAIMED",
    "BANK_REFERENCE_USED",
    "PAYOUT_CONFLICT",
    "PAYOUT_UNKNOWN_OPEN",
    "MONEY_HALTED",
  ],
});

export const giveRuling = describeCall({
  summary:
    "Rule a dispute; above the four-eyes limit the ruling is proposed, and another administrator confirms it",
  group: "Disputes",
  by: "freshAdmin",
  answers: tradeReplySchema.extend({ state: z.enum(["ruled", "proposed"]) }),
  refuses: [
    "TRADE_ON_HOLD",
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "SPLIT_OUT_OF_RANGE",
    "SUM_DIFFERS",
    "RULING_WARNED",
    "DISPUTE_TAKEN",
    "TRADE_OVERTAKEN",
    "NOT_PAID_YET",
  ],
});

export const confirmProposedRuling = describeCall({
  summary: "Confirm a ruling that the mediator proposed",
  group: "Disputes",
  by: "freshAdmin",
  answers: tradeReplySchema,
  refuses: [
    "TRADE_ON_HOLD",
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "NOT_FOUND",
    "PROPOSAL_CHANGED",
    "PROPOSER_NOT_ADMIN",
    "FOUR_EYES_REQUIRED",
    "FOUR_EYES_RELATED",
    "SUM_DIFFERS",
    "TRADE_OVERTAKEN",
  ],
});

export const withdrawRuling = describeCall({
  summary: "Withdraw a proposed ruling",
  group: "Disputes",
  by: "admin",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "NOT_FOUND", "PROPOSAL_CHANGED", "DISPUTE_TAKEN"],
});

export const recordManualPayment = describeCall({
  summary: "Confirm a payment manually; two administrators must enter the same",
  group: "Back office: transactions",
  by: "freshAdmin",
  answers: tradeReplySchema.extend({ state: z.enum(["confirmed", "proposed"]) }),
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "BANK_REFERENCE_USED",
    "PROPOSER_NOT_ADMIN",
    "FOUR_EYES_RELATED",
    "PROPOSAL_DIFFERS",
    "PAYMENT_ALREADY_BOOKED",
  ],
});

export const dismissManualPayment = describeCall({
  summary: "Dismiss a proposed manual payment",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "NOT_FOUND", "PROPOSAL_CHANGED"],
});

export const takeDispute = describeCall({
  summary: "Take a dispute as its mediator",
  group: "Disputes",
  by: "admin",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "TRADE_OVERTAKEN", "DISPUTE_TAKEN"],
});

export const returnDispute = describeCall({
  summary: "Give a dispute back for another administrator to take",
  group: "Disputes",
  by: "admin",
  answers: tradeReplySchema,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "TRADE_OVERTAKEN", "DISPUTE_TAKEN"],
});

export const writeAsMediator = describeCall({
  summary: "Write to both sides as the mediator",
  group: "Disputes",
  by: "admin",
  answers: tradeReplySchema,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "TRADE_OVERTAKEN",
    "DISPUTE_NOT_TAKEN",
    "DISPUTE_TAKEN",
    "THROTTLED",
  ],
});

export const previewRuling = describeCall({
  summary: "Preview what a ruling would give each party",
  group: "Disputes",
  by: "admin",
  answers: rulingPreviewSchema,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "SPLIT_OUT_OF_RANGE",
    "TRADE_ON_HOLD",
    "TRADE_OVERTAKEN",
    "NOT_PAID_YET",
  ],
});
