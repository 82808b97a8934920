import { describeCall } from "#calls";
import { infoExchangeSchema } from "../core/responses.ts";
import type * as bankAccount from "../information/bank-account.ts";
import type { saveRefundDestination } from "../information/refund-account.ts";
import type { confirmInfo, shareInfo } from "../information/share-information.ts";
import type { readInfoExchange } from "../information/view.ts";
import type * as verbs from "./party-commands.ts";
import { exchangeReplySchema, successReplySchema, tradeReplySchema } from "./view/responses.ts";

export const showInformation = describeCall<typeof readInfoExchange>({
  summary: "Get the information both parties shared",
  group: "Exchange",
  by: "user",
  answers: infoExchangeSchema,
  refuses: { TRANSACTION_NOT_FOUND: true },
});

export const shareInformation = describeCall<typeof shareInfo>({
  summary: "Share information with the other party",
  group: "Exchange",
  by: "user",
  answers: exchangeReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    INFO_NOT_AVAILABLE: true,
    CANCELLATION_PENDING: true,
    INFO_TOO_OFTEN: true,
    THROTTLED: true,
  },
});

export const confirmInformation = describeCall<typeof confirmInfo>({
  summary: "Confirm the information the other party shared",
  group: "Exchange",
  by: "user",
  answers: exchangeReplySchema,
  bodyOptional: true,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    INFO_NOT_AVAILABLE: true,
    INFO_NOT_SHARED: true,
    INFO_CHANGED: true,
  },
});

export const saveBankInfo = describeCall<typeof bankAccount.saveBankInfo>({
  summary: "Save the seller's account for the payout, or the buyer's contact details",
  group: "Exchange",
  by: "user",
  answers: exchangeReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    BANK_INFO_FINAL: true,
    BUYER_ONLY: true,
    SELLER_ONLY: true,
    INFO_NOT_AVAILABLE: true,
  },
});

export const saveRefundAccount = describeCall<typeof saveRefundDestination>({
  summary: "Save the account for a refund",
  group: "Exchange",
  by: "user",
  answers: successReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    BUYER_ONLY: true,
    NO_REFUND_DUE: true,
    REFUND_DESTINATION_FINAL: true,
    THROTTLED: true,
  },
});

export const handOverGoods = describeCall<typeof verbs.handOver>({
  summary: "Record the handover of the item",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  bodyOptional: true,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    SELLER_ONLY: true,
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    CANCELLATION_PENDING: true,
  },
});

export const confirmCompletion = describeCall<typeof verbs.confirmCompletion>({
  summary: "Confirm completion; the buyer confirms first, then the seller",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  bodyOptional: true,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    CANCELLATION_PENDING: true,
    BUYER_FIRST: true,
    DESTINATION_MISSING: true,
    DISPUTE_OPEN: true,
    DISPUTE_CHANGED: true,
  },
});

export const requestCancellation = describeCall<typeof verbs.requestCancellation>({
  summary: "Request cancellation, or agree to the other party's request",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  bodyOptional: true,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    TRADE_ON_HOLD: true,
    CANCELLATION_CHANGED: true,
    VAULT_CHANGED: true,
    THROTTLED: true,
  },
});

export const declineCancellation = describeCall<typeof verbs.declineCancellation>({
  summary: "Decline the other party's cancellation request",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    CANCELLATION_CHANGED: true,
    THROTTLED: true,
  },
});

export const withdrawCancellation = describeCall<typeof verbs.withdrawCancellation>({
  summary: "Withdraw your cancellation request",
  group: "Exchange",
  by: "user",
  answers: tradeReplySchema,
  refuses: { TRANSACTION_NOT_FOUND: true, NOT_PAID_YET: true, TRADE_OVERTAKEN: true, THROTTLED: true },
});
