// What a browser may load of escrow: the inputs and limits of each capability. Error messages are keys of the catalogues (`validation.*`);
// the code that shows them translates them.

export { pathId } from "#forms/rooms";
export {
  type DismissManualPaymentInput,
  dismissManualPaymentSchema,
  type ManualPaymentInput,
  manualPaymentSchema,
} from "./lib/backoffice/manual-payments/forms.ts";
export {
  type NameRefundAccountInput,
  nameRefundAccountSchema,
  settlePayoutSchema,
} from "./lib/backoffice/payouts/forms.ts";
export {
  cancelAsAdministratorSchema,
  completeTradeSchema,
  decideHeldMoneySchema,
  listMoneyFilterSchema,
  type MoneyFilter,
  moneyFilters,
  settleTradeSchema,
  type TransactionSort,
  transactionFilterSchema,
  transactionSorts,
} from "./lib/backoffice/transactions/forms.ts";
export { type WorkKind, workKinds } from "./lib/backoffice/work-queue/work-kinds.ts";
export { amountSchema, MAX_AMOUNT, pageQuerySchema, tradeFieldLimits } from "./lib/core/form-fields.ts";
export { readTransactionCode } from "./lib/core/transaction-code.ts";
export {
  type ConfirmRulingInput,
  confirmRulingSchema,
  disputeStatementSchema,
  mediatorMessageSchema,
  previewRulingSchema,
  type RulingInput,
  type RulingPreviewInput,
  rulingSchema,
  type WithdrawDisputeInput,
  withdrawDisputeSchema,
  withdrawRulingSchema,
} from "./lib/disputes/forms.ts";
export {
  type BankInfoInput,
  confirmInfoSchema,
  isIban,
  mongolianBanks,
  type RefundDestinationInput,
  refundDestinationSchema,
  saveBankInfoSchema,
  shareInfoSchema,
} from "./lib/information/forms.ts";
export { issueInvoiceSchema } from "./lib/payment/forms.ts";
export {
  fileReportSchema,
  type ReportAbout,
  type ReportFilter,
  type ReportHappened,
  type ReportInput,
  type ReportSubject,
  reportAbout,
  reportFilterSchema,
  reportHappened,
  reportQuerySchema,
  reportSubjectSchema,
  resolveReportSchema,
} from "./lib/reports/forms.ts";
export {
  askSupportSchema,
  replyHours,
  type SupportInput,
  type SupportTopic,
  supportTopics,
  visitorSupportSchema,
} from "./lib/support/forms.ts";
export {
  type AmendInput,
  amendTradeSchema,
  type CancelInput,
  type ConfirmInput,
  type CreateTradeInput,
  cancelTradeSchema,
  confirmTradeFormSchema,
  confirmTradeSchema,
  createTradeFormSchema,
  createTradeSchema,
  type DeclineCancellationInput,
  declineCancellationSchema,
  type Goods,
  goodsKinds,
  handOverSchema,
} from "./lib/trade/forms.ts";
export {
  checkVaultSchema,
  sealVaultFormSchema,
  sealVaultSchema,
  typedSecrets,
  type VaultCheckInput,
  type VaultInput,
  vaultCheckHours,
  vaultSecrets,
} from "./lib/vault/forms.ts";
