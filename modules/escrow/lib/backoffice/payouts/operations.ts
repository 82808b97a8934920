import { describeCall } from "#calls";
import type { reportTransfer } from "../transfers/report-transfer.ts";
import type * as verbs from "./name-refund-account.ts";
import type {
  approvePayoutAsAdmin,
  claimPayoutAsAdmin,
  markPayoutDoneAsAdmin,
  markPayoutSentAsAdmin,
  markPayoutUnknownAsAdmin,
  resolvePayoutAsAdmin,
  withdrawApprovalAsAdmin,
} from "./payout-steps.ts";
import { payoutReplySchema } from "./responses.ts";

export const nameRefundAccount = describeCall<typeof verbs.nameRefundAccount>({
  summary: "Add a refund account for the buyer; another administrator must approve it",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: {
    PAYOUT_NOT_FOUND: true,
    OWN_TRADE: true,
    NO_REFUND_DUE: true,
    BUYER_NAMES_ACCOUNT: true,
    REFUND_DESTINATION_FINAL: true,
  },
});

export const approvePayout = describeCall<typeof approvePayoutAsAdmin>({
  summary: "Approve a payout or refund and lock its destination; a corrected account needs two approvals",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  bodyOptional: true,
  refuses: {
    TRADE_ON_HOLD: true,
    PAYOUT_NOT_FOUND: true,
    OWN_TRADE: true,
    DESTINATION_REQUIRED: true,
    DESTINATION_DIGEST_REQUIRED: true,
    PAYOUT_CONFLICT: true,
    ACCOUNT_JUST_CORRECTED: true,
    FOUR_EYES_REQUIRED: true,
    FOUR_EYES_RELATED: true,
    PAYOUT_UNKNOWN_OPEN: true,
    MONEY_HALTED: true,
  },
});

export const claimPayout = describeCall<typeof claimPayoutAsAdmin>({
  summary: "Claim a payout",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  bodyOptional: true,
  refuses: {
    TRADE_ON_HOLD: true,
    PAYOUT_NOT_FOUND: true,
    OWN_TRADE: true,
    PAYOUT_CONFLICT: true,
    PAYOUT_CLAIMED: true,
    ACCOUNT_JUST_CORRECTED: true,
    APPROVAL_LAPSED: true,
    FOUR_EYES_REQUIRED: true,
    FOUR_EYES_RELATED: true,
    PAYOUT_UNKNOWN_OPEN: true,
    MONEY_HALTED: true,
  },
});

export const withdrawApproval = describeCall<typeof withdrawApprovalAsAdmin>({
  summary: "Withdraw the approval of a payout",
  group: "Back office: payouts",
  by: "admin",
  answers: payoutReplySchema,
  refuses: { PAYOUT_NOT_FOUND: true, OWN_TRADE: true, PAYOUT_CONFLICT: true, PAYOUT_CLAIMED: true },
});

/** The refusals of every call that records a transfer's bank reference. */
const bankReferenceRefusals = {
  PAYOUT_NOT_FOUND: true,
  OWN_TRADE: true,
  PAYOUT_CONFLICT: true,
  PAYOUT_CLAIMED: true,
  BANK_REFERENCE_USED: true,
  FOUR_EYES_REQUIRED: true,
  FOUR_EYES_RELATED: true,
} as const;

export const markPayoutSent = describeCall<typeof markPayoutSentAsAdmin>({
  summary: "Record a payout as sent, with the bank transfer reference and the account shown",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: {
    ...bankReferenceRefusals,
    DESTINATION_DIGEST_REQUIRED: true,
    ACCOUNT_JUST_CORRECTED: true,
    APPROVAL_LAPSED: true,
    TRADE_ON_HOLD: true,
    PAYOUT_UNKNOWN_OPEN: true,
    MONEY_HALTED: true,
  },
});

export const reportPayoutSent = describeCall<typeof reportTransfer>({
  summary: "Report that you had sent a payout before another administrator took it over",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: { PAYOUT_NOT_FOUND: true, OWN_TRADE: true, PAYOUT_CONFLICT: true },
});

export const markPayoutDone = describeCall<typeof markPayoutDoneAsAdmin>({
  summary: "Confirm a payout against the bank statement; the sender can't confirm their own",
  group: "Back office: payouts",
  by: "admin",
  answers: payoutReplySchema,
  refuses: {
    PAYOUT_NOT_FOUND: true,
    OWN_TRADE: true,
    PAYOUT_CONFLICT: true,
    BANK_REFERENCE_REQUIRED: true,
    FOUR_EYES_REQUIRED: true,
    FOUR_EYES_RELATED: true,
  },
});

export const markPayoutUnknown = describeCall<typeof markPayoutUnknownAsAdmin>({
  summary: "Mark a payout as in doubt when nobody knows whether it was sent",
  group: "Back office: payouts",
  by: "admin",
  answers: payoutReplySchema,
  refuses: { PAYOUT_NOT_FOUND: true, OWN_TRADE: true, PAYOUT_CONFLICT: true },
});

export const resolveUnknownPayout = describeCall<typeof resolvePayoutAsAdmin>({
  summary: "Resolve a payout in doubt",
  group: "Back office: payouts",
  by: "freshAdmin",
  answers: payoutReplySchema,
  refuses: bankReferenceRefusals,
});
