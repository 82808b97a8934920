export { closeDays } from "./lib/backoffice/figures/figures.ts";
export { type Period, readPeriodFigures } from "./lib/backoffice/figures/periods.ts";
export { adminStats } from "./lib/backoffice/figures/stats.ts";
export { confirmManualPayment, type ManualPaymentResult } from "./lib/backoffice/manual-payments/confirm.ts";
export { discardManualPayment } from "./lib/backoffice/manual-payments/discard.ts";
export { nameRefundAccount } from "./lib/backoffice/payouts/name-refund-account.ts";
export {
  approvePayoutAsAdmin,
  claimPayoutAsAdmin,
  markPayoutDoneAsAdmin,
  markPayoutSentAsAdmin,
  markPayoutUnknownAsAdmin,
  resolvePayoutAsAdmin,
  withdrawApprovalAsAdmin,
} from "./lib/backoffice/payouts/payout-steps.ts";
export { listPayouts, payoutPage } from "./lib/backoffice/payouts/payout-view.ts";
export type { PayoutActionResult } from "./lib/backoffice/payouts/run-payout-step.ts";
export {
  askAboutDifference,
  readReconciliation,
  runReconciliation,
  settleDifference,
} from "./lib/backoffice/reconciliation/reconciliation.ts";
export {
  discardSettlementEntry,
  type EnterSettlementResult,
  enterSettlement,
} from "./lib/backoffice/settlements/enter-settlement.ts";
export { readSettlements } from "./lib/backoffice/settlements/settlement-view.ts";
export {
  adminCancel,
  adminCancelForSum,
  adminCloseUnpaid,
  adminComplete,
  adminPaySeller,
  deleteTransaction,
} from "./lib/backoffice/transactions/administrator-commands.ts";
export {
  countTrades,
  MOST_COUNTED,
  type TransactionCounts,
} from "./lib/backoffice/transactions/count-trades.ts";
export type { TransactionListFilter } from "./lib/backoffice/transactions/list-filter.ts";
export { readTransactionFilter } from "./lib/backoffice/transactions/list-query.ts";
export { adminTrades } from "./lib/backoffice/transactions/list-trades.ts";
export { settleTrade } from "./lib/backoffice/transactions/settle-trade.ts";
export { type TradeRecords, tradeRecords } from "./lib/backoffice/transactions/trade-records.ts";
export { adminTrade } from "./lib/backoffice/transactions/transaction-view.ts";
export { reportTransfer } from "./lib/backoffice/transfers/report-transfer.ts";
export { type LedgerStatus, readLedgerStatus, verifyLedgerSoon } from "./lib/backoffice/treasury/alarms.ts";
export {
  isOutgoingHalted,
  readTreasury,
  switchOutgoingMoney,
  type Transfer,
  transfersOf,
} from "./lib/backoffice/treasury/treasury.ts";
export { adminTradesOf, adminUser, adminUsers, type TradeCounts } from "./lib/backoffice/users/user-view.ts";
export { dropJob, retryJob, settleMail } from "./lib/backoffice/work-queue/failed-work.ts";
export { workQueue } from "./lib/backoffice/work-queue/work-queue.ts";
export type { TradeRefusal, TradeResult } from "./lib/core/outcomes.ts";
export { registerEscrow, registerTradeProof, startEscrow } from "./lib/core/start.ts";
export { reminderMinutes } from "./lib/deadlines/deadlines.ts";
export { sweepDeadlines } from "./lib/deadlines/run-deadlines.ts";
export { adminDispute } from "./lib/disputes/dispute-view.ts";
export { giveBackDispute, takeDispute, writeAsMediator } from "./lib/disputes/mediate.ts";
export { explainDispute, openDispute, withdrawDispute } from "./lib/disputes/open-dispute.ts";
export { previewRuling, type RulingPreview, ruleDispute } from "./lib/disputes/rule.ts";
export { confirmRuling, withdrawRuling } from "./lib/disputes/rulings/confirm.ts";
export { type Bundle, bundleEvidence } from "./lib/evidence/bundle.ts";
export { evidencePicture } from "./lib/evidence/pictures.ts";
export {
  canOpenEvidenceKey,
  evidencePublicKey,
  replaceLostEvidenceKey,
  resealEvidenceKey,
} from "./lib/evidence/signing-key.ts";
export { readTranscript } from "./lib/evidence/transcript.ts";
export { reportFraud } from "./lib/holds/report-fraud.ts";
export { resolveTradeHold } from "./lib/holds/resolve-hold.ts";
export { holdsOfTrade, tradesOnHold } from "./lib/holds/view.ts";
export { saveBankInfo } from "./lib/information/bank-account.ts";
export { saveRefundDestination } from "./lib/information/refund-account.ts";
export { confirmInfo, shareInfo } from "./lib/information/share-information.ts";
export { deadlineHours } from "./lib/machine/deadline-times.ts";
export { type FeePayer, type Receipt, type Status, tradeStatuses } from "./lib/machine/trade-types.ts";
export { notifyParties } from "./lib/notifications/notify-parties.ts";
export { checkPayment, verifyPayment } from "./lib/payment/check-payment.ts";
export { readQrSheet } from "./lib/payment/find-invoice.ts";
export { issueInvoice } from "./lib/payment/issue-invoice.ts";
export { markPaid } from "./lib/payment/mark-paid.ts";
export type { PaymentFinding } from "./lib/payment/payment-finding.ts";
export { onProviderCallback } from "./lib/payment/provider-callback.ts";
export { type FileReportResult, fileReport, type ReportRefused } from "./lib/reports/file-report.ts";
export { countReportsOf, listReports } from "./lib/reports/list-reports.ts";
export { previewReport } from "./lib/reports/preview-report.ts";
export { resolveReport } from "./lib/reports/resolve-report.ts";
export { askSupport } from "./lib/support/ask-support.ts";
export { supportReceipt } from "./lib/support/receipt.ts";
export { amendTrade } from "./lib/trade/amend-trade.ts";
export { createTrade } from "./lib/trade/create-trade.ts";
export { descriptionRefusal } from "./lib/trade/description-refusal.ts";
export { feeOf, feeRules, quoteTrade } from "./lib/trade/fees.ts";
export {
  confirmCompletion,
  confirmReceipt,
  declineCancellation,
  handOver,
  requestCancellation,
  withdrawCancellation,
} from "./lib/trade/party-commands.ts";
export { requestPayment } from "./lib/trade/request-payment.ts";
export { requestObstacle } from "./lib/trade/restricted-parties.ts";
export { historyOf } from "./lib/trade/view/history.ts";
export { findRoomsByCode, readRoomProgress, readTradeRooms } from "./lib/trade/view/room-progress.ts";
export { readTrade, tradeOfRoom } from "./lib/trade/view/trade-view.ts";
export { withdrawRequest } from "./lib/trade/withdraw-request.ts";
export { checkVault } from "./lib/vault/check-vault.ts";
export { countOlderVaultKeys } from "./lib/vault/older-vault-keys.ts";
export { openVault } from "./lib/vault/open-vault.ts";
export { sealVault } from "./lib/vault/seal-vault.ts";
export { verifyCode } from "./lib/verification/verify-code.ts";
