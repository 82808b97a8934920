import { z } from "zod";
import { describeCall } from "#calls";
import type * as mediation from "../../disputes/mediate.ts";
import type { previewRuling as preview, ruleDispute } from "../../disputes/rule.ts";
import type { confirmRuling, withdrawRuling as withdraw } from "../../disputes/rulings/confirm.ts";
import type { notifyParties as notify } from "../../notifications/notify-parties.ts";
import { successReplySchema, tradeReplySchema } from "../../trade/view/responses.ts";
import type { adminStats } from "../figures/stats.ts";
import type { confirmManualPayment } from "../manual-payments/confirm.ts";
import type { discardManualPayment as dismiss } from "../manual-payments/discard.ts";
import { workQueueSchema } from "../treasury/responses.ts";
import type { workQueue } from "../work-queue/work-queue.ts";
import type {
  adminCancel,
  adminComplete,
  adminPaySeller,
  deleteTransaction,
} from "./administrator-commands.ts";
import type { adminTrades } from "./list-trades.ts";
import {
  adminStatsSchema,
  adminTradeViewSchema,
  listedTradeSchema,
  rulingPreviewSchema,
} from "./responses.ts";
import type { settleTrade } from "./settle-trade.ts";
import type { adminTrade } from "./transaction-view.ts";

export const showStats = describeCall<typeof adminStats>({
  summary: "Get dashboard totals",
  group: "Back office: transactions",
  by: "admin",
  answers: adminStatsSchema,
});

export const showWorkQueue = describeCall<typeof workQueue>({
  summary: "Get the administrators' work queue",
  group: "Back office: transactions",
  by: "admin",
  answers: workQueueSchema,
});

export const listTransactions = describeCall<typeof adminTrades>({
  summary: "List transactions; the `Link` header has the next page",
  group: "Back office: transactions",
  by: "admin",
  answers: z.array(listedTradeSchema),
});

export const showTransaction = describeCall<typeof adminTrade>({
  summary: "Get a transaction with its back-office details",
  group: "Back office: transactions",
  by: "admin",
  answers: adminTradeViewSchema,
  refuses: { TRANSACTION_NOT_FOUND: true },
});

export const notifyParties = describeCall<typeof notify>({
  summary: "Email both parties the current status",
  group: "Back office: transactions",
  by: "admin",
  answers: successReplySchema,
  refuses: { TRANSACTION_NOT_FOUND: true, OWN_TRADE: true, THROTTLED: true },
});

export const completeAsAdministrator = describeCall<typeof adminComplete>({
  summary:
    "Close a transaction; held money is recorded as sent to the seller, and only to the account shown if you include one",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  bodyOptional: true,
  refuses: {
    VAULT_CHANGED: true,
    INVOICING_BUSY: true,
    TRADE_ON_HOLD: true,
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    REAUTH_REQUIRED: true,
    TRADE_OVERTAKEN: true,
    DESTINATION_MISSING: true,
    DESTINATION_REQUIRED: true,
    DISPUTE_NOT_TAKEN: true,
    DISPUTE_TAKEN: true,
    FOUR_EYES_REQUIRED: true,
    FOUR_EYES_RELATED: true,
    PAYOUT_CLAIMED: true,
    PAYOUT_CONFLICT: true,
    ACCOUNT_JUST_CORRECTED: true,
    APPROVAL_LAPSED: true,
    PAYOUT_UNKNOWN_OPEN: true,
    MONEY_HALTED: true,
  },
});

export const paySeller = describeCall<typeof adminPaySeller>({
  summary: "Release money to the seller without both confirmations",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  refuses: {
    VAULT_CHANGED: true,
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    REAUTH_REQUIRED: true,
    SUM_DIFFERS: true,
    DESTINATION_MISSING: true,
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    DISPUTE_NOT_TAKEN: true,
    DISPUTE_TAKEN: true,
  },
});

export const cancelAsAdministrator = describeCall<typeof adminCancel>({
  summary: "Cancel a transaction; held money becomes a refund",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  bodyOptional: true,
  refuses: {
    VAULT_CHANGED: true,
    INVOICING_BUSY: true,
    TRADE_ON_HOLD: true,
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    REAUTH_REQUIRED: true,
    PAYOUT_APPROVED: true,
    MONEY_ALREADY_SENT: true,
    TRADE_OVERTAKEN: true,
    DISPUTE_NOT_TAKEN: true,
    DISPUTE_TAKEN: true,
    FOUR_EYES_REQUIRED: true,
  },
});

export const hideTransaction = describeCall<typeof deleteTransaction>({
  summary: "Hide an ended transaction from all lists",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    TRADE_UNDER_WAY: true,
    MONEY_HELD: true,
    DISPUTE_NOT_TAKEN: true,
    DISPUTE_TAKEN: true,
  },
});

export const settlePayout = describeCall<typeof settleTrade>({
  summary: "Approve and record the payout in one step, with the bank transfer reference",
  group: "Back office: transactions",
  by: "freshAdmin",
  answers: tradeReplySchema,
  refuses: {
    TRADE_ON_HOLD: true,
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    NOTHING_DUE: true,
    DESTINATION_REQUIRED: true,
    DESTINATION_DIGEST_REQUIRED: true,
    ACCOUNT_JUST_CORRECTED: true,
    FOUR_EYES_REQUIRED: true,
    FOUR_EYES_RELATED: true,
    PAYOUT_CLAIMED: true,
    BANK_REFERENCE_USED: true,
    PAYOUT_CONFLICT: true,
    APPROVAL_LAPSED: true,
    PAYOUT_UNKNOWN_OPEN: true,
    MONEY_HALTED: true,
  },
});

export const giveRuling = describeCall<typeof ruleDispute>({
  summary: "Decide a dispute; above the four-eyes limit, another administrator must confirm the ruling",
  group: "Disputes",
  by: "freshAdmin",
  answers: tradeReplySchema.extend({ state: z.enum(["ruled", "proposed"]) }),
  refuses: {
    TRADE_ON_HOLD: true,
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    SPLIT_OUT_OF_RANGE: true,
    SUM_DIFFERS: true,
    VAULT_CHANGED: true,
    RULING_WARNED: true,
    DISPUTE_TAKEN: true,
    TRADE_OVERTAKEN: true,
    NOT_PAID_YET: true,
  },
});

export const confirmProposedRuling = describeCall<typeof confirmRuling>({
  summary: "Confirm the mediator's proposed ruling",
  group: "Disputes",
  by: "freshAdmin",
  answers: tradeReplySchema,
  refuses: {
    TRADE_ON_HOLD: true,
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    NOT_FOUND: true,
    PROPOSAL_CHANGED: true,
    PROPOSER_NOT_ADMIN: true,
    FOUR_EYES_REQUIRED: true,
    FOUR_EYES_RELATED: true,
    SPLIT_OUT_OF_RANGE: true,
    SUM_DIFFERS: true,
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
  },
});

export const withdrawRuling = describeCall<typeof withdraw>({
  summary: "Withdraw a proposed ruling",
  group: "Disputes",
  by: "admin",
  answers: tradeReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    NOT_FOUND: true,
    PROPOSAL_CHANGED: true,
    DISPUTE_TAKEN: true,
  },
});

export const recordManualPayment = describeCall<typeof confirmManualPayment>({
  summary: "Confirm a payment manually; two administrators must enter the same details",
  group: "Back office: transactions",
  by: "freshAdmin",
  answers: tradeReplySchema.extend({ state: z.enum(["confirmed", "proposed"]) }),
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    BANK_REFERENCE_USED: true,
    PROPOSER_NOT_ADMIN: true,
    FOUR_EYES_RELATED: true,
    PROPOSAL_DIFFERS: true,
    PAYMENT_ALREADY_BOOKED: true,
  },
});

export const discardManualPayment = describeCall<typeof dismiss>({
  summary: "Discard a manually entered payment",
  group: "Back office: transactions",
  by: "admin",
  answers: tradeReplySchema,
  refuses: { TRANSACTION_NOT_FOUND: true, OWN_TRADE: true, NOT_FOUND: true, PROPOSAL_CHANGED: true },
});

export const takeDispute = describeCall<typeof mediation.takeDispute>({
  summary: "Take on a dispute as its mediator",
  group: "Disputes",
  by: "admin",
  answers: tradeReplySchema,
  refuses: { TRANSACTION_NOT_FOUND: true, OWN_TRADE: true, TRADE_OVERTAKEN: true, DISPUTE_TAKEN: true },
});

export const returnDispute = describeCall<typeof mediation.giveBackDispute>({
  summary: "Release a dispute for another administrator",
  group: "Disputes",
  by: "admin",
  answers: tradeReplySchema,
  refuses: { TRANSACTION_NOT_FOUND: true, OWN_TRADE: true, TRADE_OVERTAKEN: true, DISPUTE_TAKEN: true },
});

export const writeAsMediator = describeCall<typeof mediation.writeAsMediator>({
  summary: "Write to both parties as the mediator",
  group: "Disputes",
  by: "admin",
  answers: tradeReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    TRADE_OVERTAKEN: true,
    DISPUTE_NOT_TAKEN: true,
    DISPUTE_TAKEN: true,
    THROTTLED: true,
  },
});

export const previewRuling = describeCall<typeof preview>({
  summary: "Preview what each party would get under a ruling",
  group: "Disputes",
  by: "admin",
  answers: rulingPreviewSchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    OWN_TRADE: true,
    SPLIT_OUT_OF_RANGE: true,
    TRADE_ON_HOLD: true,
    TRADE_OVERTAKEN: true,
    NOT_PAID_YET: true,
  },
});
