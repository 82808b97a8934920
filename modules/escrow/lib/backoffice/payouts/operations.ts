import { describeCall } from "#calls";
import { payoutReplySchema } from "./responses.ts";

export const nameRefundAccount = describeCall({
  summary: "Name a refund's account where its buyer cannot; another administrator approves it",
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
  summary: "Approve a payout or refund: where it goes is fixed; a corrected account takes two",
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
  summary: "Say that one makes the transfer",
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
  summary: "Take an approval back",
  group: "Back office: payouts",
  by: "admin",
  answers: payoutReplySchema,
  refuses: ["PAYOUT_NOT_FOUND", "OWN_TRADE", "PAYOUT_CONFLICT", "PAYOUT_CLAIMED"],
});

/** What refuses the bank's number of a transfer, whoever brings it. */
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
  summary: "Record that it was sent, with the bank's number and the account that was shown",
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
  summary: "Say that it had already been sent when another took it over",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: ["PAYOUT_NOT_FOUND", "OWN_TRADE", "PAYOUT_CONFLICT"],
});

export const markPayoutDone = describeCall({
  summary: "Record that it was seen on the statement; another does it than who sent it",
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
  summary: "Say that nobody knows whether it left",
  group: "Back office: payouts",
  by: "admin",
  answers: payoutReplySchema,
  refuses: ["PAYOUT_NOT_FOUND", "OWN_TRADE", "PAYOUT_CONFLICT"],
});

export const resolveUnknownPayout = describeCall({
  summary: "Say what was found out about money in doubt",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: bankReferenceRefusals,
});
