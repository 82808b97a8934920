import { describeCall } from "#calls";
import { payoutReplySchema } from "./responses.ts";

export const nameRefundAccount = describeCall({
  summary: "Name a refund's account in the buyer's place; another administrator approves it",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: [
    "PAYOUT_NOT_FOUND",
    "OWN_TRADE",
    "NO_REFUND_DUE",
    "BUYER_NAMES_ACCOUNT",
    "REFUND_DESTINATION_FINAL",
  ],
});

export const approvePayout = describeCall({
  summary: "Approve a payout or refund and fix its destination; a corrected account needs two approvals",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  bodyOptional: true,
  refuses: [
    "TRADE_ON_HOLD",
    "PAYOUT_NOT_FOUND",
    "OWN_TRADE",
    "DESTINATION_REQUIRED",
    "DESTINATION_DIGEST_REQUIRED",
    "PAYOUT_CONFLICT",
    "ACCOUNT_JUST_CORRECTED",
    "FOUR_EYES_REQUIRED",
    "FOUR_EYES_RELATED",
    "PAYOUT_UNKNOWN_OPEN",
    "MONEY_HALTED",
  ],
});

export const claimPayout = describeCall({
  summary: "Claim a payout",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  bodyOptional: true,
  refuses: [
    "TRADE_ON_HOLD",
    "PAYOUT_NOT_FOUND",
    "OWN_TRADE",
    "PAYOUT_CONFLICT",
    "PAYOUT_CLAIMED",
    "APPROVAL_LAPSED",
    "FOUR_EYES_REQUIRED",
    "FOUR_EYES_RELATED",
    "PAYOUT_UNKNOWN_OPEN",
    "MONEY_HALTED",
  ],
});

export const withdrawApproval = describeCall({
  summary: "Withdraw an approval",
  group: "Back office: payouts",
  by: "admin",
  answers: payoutReplySchema,
  refuses: ["PAYOUT_NOT_FOUND", "OWN_TRADE", "PAYOUT_CONFLICT", "PAYOUT_CLAIMED"],
});

/** The refusals of every call that records a transfer's bank reference. */
const bankReferenceRefusals = [
  "PAYOUT_NOT_FOUND",
  "OWN_TRADE",
  "PAYOUT_CONFLICT",
  "PAYOUT_CLAIMED",
  "BANK_REFERENCE_USED",
  "FOUR_EYES_REQUIRED",
  "FOUR_EYES_RELATED",
] as const;

export const markPayoutSent = describeCall({
  summary: "Record a payout as sent, with the bank reference and the account that was shown",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: [
    ...bankReferenceRefusals,
    "DESTINATION_DIGEST_REQUIRED",
    "APPROVAL_LAPSED",
    "TRADE_ON_HOLD",
    "PAYOUT_UNKNOWN_OPEN",
    "MONEY_HALTED",
  ],
});

export const reportPayoutSent = describeCall({
  summary: "Report a payout as already sent before another administrator took it over",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: ["PAYOUT_NOT_FOUND", "OWN_TRADE", "PAYOUT_CONFLICT"],
});

export const markPayoutDone = describeCall({
  summary: "Record that a payout was seen on the bank statement; not by the administrator who sent it",
  group: "Back office: payouts",
  by: "admin",
  answers: payoutReplySchema,
  refuses: [
    "PAYOUT_NOT_FOUND",
    "OWN_TRADE",
    "PAYOUT_CONFLICT",
    "BANK_REFERENCE_REQUIRED",
    "FOUR_EYES_REQUIRED",
    "FOUR_EYES_RELATED",
  ],
});

export const markPayoutUnknown = describeCall({
  summary: "Mark a payout as in doubt: nobody knows whether it left",
  group: "Back office: payouts",
  by: "admin",
  answers: payoutReplySchema,
  refuses: ["PAYOUT_NOT_FOUND", "OWN_TRADE", "PAYOUT_CONFLICT"],
});

export const resolveUnknownPayout = describeCall({
  summary: "Resolve a payout in doubt",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: bankReferenceRefusals,
});
