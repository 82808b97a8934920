export { feeOf, type Quote, type Quoted, quote } from "./lib/fees.ts";
export { type SavedBankInfo, saveBankInfo } from "./lib/information.bank.ts";
export { type SavedRefundDestination, saveRefundDestination } from "./lib/information.refund.ts";
export { type ConfirmedInfo, confirmInfo, type Shared, shareInfo } from "./lib/information.share.ts";
export { type BuyerInfo, type InfoExchange, infoExchange, type SellerInfo } from "./lib/information.view.ts";
export { type FeePayer, type Party, type Status, statuses } from "./lib/machine/types.ts";
export {
  type AdminFilter,
  type AdminPerson,
  type AdminTradeView,
  adminTrade,
  adminTrades,
  tradeStats,
} from "./lib/views.admin.ts";
export type { Allowed } from "./lib/views.allowed.ts";
export type { Clock } from "./lib/views.clock.ts";
export { type HistoryView, historyOf, type Page } from "./lib/views.history.ts";
export { type InvoiceView, type PersonView, type TradeView, trade, tradeOfRoom } from "./lib/views.party.ts";
export { type PayoutTask, type WorkQueue, workQueue } from "./lib/views.queue.ts";
export { type StepView, steps } from "./lib/views.steps.ts";
export type { TransactionView } from "./lib/views.transaction.ts";
export type { Turn } from "./lib/views.turn.ts";
