import { z } from "zod";
import { call } from "#calls";
import { done, withTrade } from "../../trade/view/responses.ts";
import { workQueue } from "../treasury/responses.ts";
import { adminStats, adminTradeView, listedTrade, rulingShown } from "./responses.ts";

export const stats = call({
  summary: "Three figures",
  group: "Back office: transactions",
  by: "admin",
  answers: adminStats,
});

export const queue = call({
  summary: "What waits for administrators",
  group: "Back office: transactions",
  by: "admin",
  answers: workQueue,
});

export const listTransactions = call({
  summary: "Transactions; the header `Link` names the next page",
  group: "Back office: transactions",
  by: "admin",
  answers: z.array(listedTrade),
});

export const showTransaction = call({
  summary: "A transaction with all that administrators see of it",
  group: "Back office: transactions",
  by: "admin",
  answers: adminTradeView,
  refuses: ["TRANSACTION_NOT_FOUND"],
});

export const notify = call({
  summary: "Mail both sides how it stands",
  group: "Back office: transactions",
  by: "admin",
  answers: done,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "THROTTLED"],
});

export const completeAsAdministrator = call({
  summary:
    "Close it; what is held is recorded as sent to the seller, to the account that was shown where one is named",
  group: "Back office: transactions",
  by: "admin",
  answers: withTrade,
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

export const paySeller = call({
  summary: "Let the seller have money that both sides did not confirm",
  group: "Back office: transactions",
  by: "admin",
  answers: withTrade,
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

export const cancelAsAdministrator = call({
  summary: "Call it off; what is held becomes a refund",
  group: "Back office: transactions",
  by: "admin",
  answers: withTrade,
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

export const hideTransaction = call({
  summary: "Take one that has ended out of every list",
  group: "Back office: transactions",
  by: "admin",
  answers: withTrade,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "TRADE_UNDER_WAY",
    "MONEY_HELD",
    "DISPUTE_NOT_TAKEN",
    "DISPUTE_TAKEN",
  ],
});

export const settlePayout = call({
  summary: "Approve and send what is due in one, with the bank's number",
  group: "Back office: transactions",
  by: "freshAdmin",
  answers: withTrade,
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

export const rule = call({
  summary: "Rule a dispute; above the limit of four eyes it is proposed, and another confirms it",
  group: "Disputes",
  by: "freshAdmin",
  answers: withTrade.extend({ state: z.enum(["ruled", "proposed"]) }),
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

export const confirmRuling = call({
  summary: "Confirm a ruling that the mediator proposed",
  group: "Disputes",
  by: "freshAdmin",
  answers: withTrade,
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

export const withdrawRuling = call({
  summary: "Take a proposed ruling back",
  group: "Disputes",
  by: "admin",
  answers: withTrade,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "NOT_FOUND", "PROPOSAL_CHANGED", "DISPUTE_TAKEN"],
});

export const recordManualPayment = call({
  summary: "Confirm a payment by hand; two administrators say the same",
  group: "Back office: transactions",
  by: "freshAdmin",
  answers: withTrade.extend({ state: z.enum(["confirmed", "proposed"]) }),
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

export const dismissManualPayment = call({
  summary: "Lay a payment proposed by hand aside",
  group: "Back office: transactions",
  by: "admin",
  answers: withTrade,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "NOT_FOUND", "PROPOSAL_CHANGED"],
});

export const take = call({
  summary: "Take a dispute as its mediator",
  group: "Disputes",
  by: "admin",
  answers: withTrade,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "TRADE_OVERTAKEN", "DISPUTE_TAKEN"],
});

export const returnDispute = call({
  summary: "Give a dispute back for another to take",
  group: "Disputes",
  by: "admin",
  answers: withTrade,
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE", "TRADE_OVERTAKEN", "DISPUTE_TAKEN"],
});

export const mediate = call({
  summary: "Write to both sides as the mediator",
  group: "Disputes",
  by: "admin",
  answers: withTrade,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "TRADE_OVERTAKEN",
    "DISPUTE_NOT_TAKEN",
    "DISPUTE_TAKEN",
    "THROTTLED",
  ],
});

export const previewRuling = call({
  summary: "What a ruling would give each side",
  group: "Disputes",
  by: "admin",
  answers: rulingShown,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "OWN_TRADE",
    "SPLIT_OUT_OF_RANGE",
    "TRADE_ON_HOLD",
    "TRADE_OVERTAKEN",
    "NOT_PAID_YET",
  ],
});
