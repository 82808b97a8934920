export { layProposalAside } from "./lib/admin-by-hand.aside.ts";
export { type ByHand, confirmByHand } from "./lib/admin-by-hand.ts";
export {
  approvePayout,
  claimPayout,
  type Paid,
  payoutDone,
  payoutUnknown,
  resolvePayout,
  sendPayout,
  withdrawApproval,
} from "./lib/admin-payouts.ts";
export { nameRefundAccount } from "./lib/admin-refund.ts";
export { settle } from "./lib/admin-settle.ts";
export { adminCancel, adminComplete, adminPaySeller, deleteTransaction } from "./lib/admin-trade.ts";
export { onProviderCallback } from "./lib/callback.ts";
export { checkPayment, verifyPayment } from "./lib/check-payment.ts";
export { type Alarm, type LedgerShown, ledgerShown, verifyLedgerSoon } from "./lib/checks.ts";
export { sweepDeadlines } from "./lib/deadlines.run.ts";
export { reminders } from "./lib/deadlines.ts";
export { descriptionRefusal } from "./lib/description-refusal.ts";
export { readDesk } from "./lib/desk.address.ts";
export { type Counts, countTrades, MOST_COUNTED } from "./lib/desk.counts.ts";
export type { AdminFilter } from "./lib/desk.filter.ts";
export { adminTrades } from "./lib/desk.list.ts";
export type { CaseView } from "./lib/disputes.case.ts";
export { giveBackDispute, takeDispute, writeAsMediator } from "./lib/disputes.mediate.ts";
export { previewRuling, type RulingShown, ruleDispute } from "./lib/disputes.rule.ts";
export { explainDispute, openDispute, withdrawDispute } from "./lib/disputes.ts";
export { type Bundle, evidenceOf } from "./lib/evidence/bundle.ts";
export {
  evidencePublicKey,
  opensEvidenceKey,
  replaceLostEvidenceKey,
  resealEvidenceKey,
} from "./lib/evidence/key.ts";
export { type EvidencePicture, evidencePicture } from "./lib/evidence/pictures.ts";
export { feeOf, feeRules, quote } from "./lib/fees.ts";
export { closeDays } from "./lib/figures.ts";
export { reportFraud } from "./lib/holds/report.ts";
export { resolveTradeHold } from "./lib/holds/resolve.ts";
export { type HoldView, holdsOfTrade, tradesOnHold } from "./lib/holds/view.ts";
export { saveBankInfo } from "./lib/information.bank.ts";
export { saveRefundDestination } from "./lib/information.refund.ts";
export { confirmInfo, shareInfo } from "./lib/information.share.ts";
export type { InfoExchange } from "./lib/information.view.ts";
export { issueInvoice } from "./lib/issue-invoice.ts";
export { hours } from "./lib/machine/time.ts";
export { type FeePayer, type Receipt, type Status, statuses } from "./lib/machine/types.ts";
export { markPaid } from "./lib/mark-paid.ts";
export {
  type MoneyDesk,
  moneyDesk,
  outgoingHalted,
  type SuspenseView,
  switchMoney,
  type Transfer,
  transfersOf,
} from "./lib/money-desk.ts";
export { notifyParties } from "./lib/notify.ts";
export type { Done, Refused } from "./lib/outcomes.ts";
export type { PaymentFinding } from "./lib/payment-finding.ts";
export {
  askAboutDifference,
  type DifferenceView,
  type Reconciliation,
  type RunView,
  reconciliation,
  runReconciliation,
  settleDifference,
} from "./lib/reconciliation.ts";
export { type Filed, fileReport, type ReportRefused } from "./lib/reports/file-report.ts";
export { countReportsOf, listReports, type ReportView } from "./lib/reports/list-reports.ts";
export { reportShown } from "./lib/reports/report-shown.ts";
export { resolveReport } from "./lib/reports/resolve-report.ts";
export { requestObstacle } from "./lib/restricted-parties.ts";
export { confirmRuling, withdrawRuling } from "./lib/rulings/confirm.ts";
export type { RulingProposalView } from "./lib/rulings/proposals.ts";
export type { RulingWarning } from "./lib/rulings/schema.ts";
export { type Entered, enterSettlement, setSettlementAside } from "./lib/settlements.ts";
export { registerEscrow, registerTradeProof, startEscrow } from "./lib/start.ts";
export { supportReceipt } from "./lib/support.receipt.ts";
export { askSupport } from "./lib/support.ts";
export { amendTrade } from "./lib/trades.amend.ts";
export { createTrade } from "./lib/trades.create.ts";
export { requestPayment } from "./lib/trades.request.ts";
export { confirmCompletion, handOver, requestCancellation, withdrawCancellation } from "./lib/trades.ts";
export { withdrawRequest } from "./lib/trades.withdraw.ts";
export { reportTransfer } from "./lib/transfers/report.ts";
export { checkVault } from "./lib/vault/check.ts";
export { vaultsNotUnderToday } from "./lib/vault/older.ts";
export { openVault } from "./lib/vault/open.ts";
export { sealVault } from "./lib/vault/seal.ts";
export {
  type AdminPerson,
  type AdminTradeView,
  adminTrade,
} from "./lib/views.admin.ts";
export type { Allowed } from "./lib/views.allowed.ts";
export { adminDispute, type DisputeView } from "./lib/views.dispute.ts";
export { type Period, periods } from "./lib/views.figures.ts";
export { historyOf } from "./lib/views.history.ts";
export { type PersonView, type TradeView, trade, tradeOfRoom } from "./lib/views.party.ts";
export {
  type PayoutMoment,
  type PayoutRow,
  type PayoutView,
  payoutDesk,
  payoutPage,
} from "./lib/views.payouts.ts";
export { verifyCode } from "./lib/views.public.ts";
export type { Chore } from "./lib/views.queue.chores.ts";
export type { PayoutTask } from "./lib/views.queue.payouts.ts";
export { type WorkQueue, workQueue } from "./lib/views.queue.ts";
export { type TradeRecords, tradeRecords } from "./lib/views.records.ts";
export { type RoomStanding, roomStandings, roomsByCode } from "./lib/views.rooms.ts";
export { type Settlements, settlements } from "./lib/views.settlements.ts";
export { type AdminStats, adminStats } from "./lib/views.stats.ts";
export { readTranscript, type Transcript } from "./lib/views.transcript.ts";
export {
  adminTradesOf,
  adminUser,
  adminUsers,
  type ListedUser,
  type TradeCounts,
} from "./lib/views.users.ts";
export { dropJob, retryJob, settleMail } from "./lib/work.ts";
