export { type ByHand, confirmByHand } from "./lib/admin-by-hand.ts";
export {
  approvePayout,
  type Paid,
  payoutDone,
  payoutUnknown,
  resolvePayout,
  sendPayout,
  withdrawApproval,
} from "./lib/admin-payouts.ts";
export { resolveProblem } from "./lib/admin-problems.ts";
export { settle } from "./lib/admin-settle.ts";
export { adminCancel, adminComplete, deleteTransaction } from "./lib/admin-trade.ts";
export { onProviderCallback } from "./lib/callback.ts";
export { type Cause, type Checked, checkPayment, verifyPayment } from "./lib/check-payment.ts";
export { sweepDeadlines } from "./lib/deadlines.run.ts";
export { reminders } from "./lib/deadlines.ts";
export { explainDispute, openDispute, ruleDispute, withdrawDispute } from "./lib/disputes.ts";
export { feeOf, feeRules, type Quote, type Quoted, quote } from "./lib/fees.ts";
export { type SavedBankInfo, saveBankInfo } from "./lib/information.bank.ts";
export { type SavedRefundDestination, saveRefundDestination } from "./lib/information.refund.ts";
export { type ConfirmedInfo, confirmInfo, type Shared, shareInfo } from "./lib/information.share.ts";
export { type BuyerInfo, type InfoExchange, infoExchange, type SellerInfo } from "./lib/information.view.ts";
export { type Issued, issueInvoice } from "./lib/issue-invoice.ts";
export { hours } from "./lib/machine/time.ts";
export { type FeePayer, type Party, type Status, statuses } from "./lib/machine/types.ts";
export { markPaid } from "./lib/mark-paid.ts";
export { notifyParties } from "./lib/notify.ts";
export type { Done, RefusalCode, Refused } from "./lib/outcomes.ts";
export { startEscrow } from "./lib/start.ts";
export { type SupportReceipt, supportReceipt } from "./lib/support.receipt.ts";
export { askSupport, type SupportAsked, type SupportRefused } from "./lib/support.ts";
export { amendTrade } from "./lib/trades.amend.ts";
export { createTrade } from "./lib/trades.create.ts";
export { confirmCompletion, handOver, requestCancellation, withdrawCancellation } from "./lib/trades.ts";
export { withdrawRequest } from "./lib/trades.withdraw.ts";
export { checkVault } from "./lib/vault/check.ts";
export type { VaultValues } from "./lib/vault/cipher.ts";
export { type Opened, openVault } from "./lib/vault/open.ts";
export { sealVault } from "./lib/vault/seal.ts";
export type { VaultView } from "./lib/vault/view.ts";
export {
  type AdminFilter,
  type AdminPerson,
  type AdminTradeView,
  adminTrade,
  adminTrades,
} from "./lib/views.admin.ts";
export type { Allowed } from "./lib/views.allowed.ts";
export type { Clock } from "./lib/views.clock.ts";
export { type HistoryView, historyOf, type Page } from "./lib/views.history.ts";
export { type InvoiceView, type PersonView, type TradeView, trade, tradeOfRoom } from "./lib/views.party.ts";
export { type PublicState, type PublicTrade, verifyCode } from "./lib/views.public.ts";
export { type PayoutTask, type WorkQueue, workQueue } from "./lib/views.queue.ts";
export { type RoomStanding, roomStandings, roomsByCode } from "./lib/views.rooms.ts";
export type { Mark, MoneyState, Standing } from "./lib/views.standing.ts";
export { type AdminStats, adminStats } from "./lib/views.stats.ts";
export { type StepView, steps } from "./lib/views.steps.ts";
export type { TransactionView } from "./lib/views.transaction.ts";
export type { Turn } from "./lib/views.turn.ts";
