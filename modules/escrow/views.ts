export type { Period } from "./lib/backoffice/figures/periods.ts";
export type { PayoutMoment, PayoutRow, PayoutView } from "./lib/backoffice/payouts/payout-view.ts";
export type { PayoutTask, Sender } from "./lib/backoffice/payouts/responses.ts";
export type { Settlements, SettlementView } from "./lib/backoffice/settlements/responses.ts";
export type {
  AdminPerson,
  AdminStats,
  AdminTradeView,
  Decisions,
  DiscardedProposal,
  ListedTrade,
  ListedUser,
  ManualPaymentView,
  ProposalView,
} from "./lib/backoffice/transactions/responses.ts";
export type { TradeRecords } from "./lib/backoffice/transactions/trade-records.ts";
export type { CorrectionView } from "./lib/backoffice/transfers/account-correction.ts";
export type {
  Alarm,
  Chore,
  DifferenceView,
  Reconciliation,
  RunView,
  SuspenseView,
  TreasuryView,
  WorkQueue,
} from "./lib/backoffice/treasury/responses.ts";
export type { Transfer } from "./lib/backoffice/treasury/treasury.ts";
export type { Clock } from "./lib/deadlines/clock-view.ts";
export type { CaseView, Statement } from "./lib/disputes/dispute-cases.ts";
export type { DisputeView } from "./lib/disputes/dispute-view.ts";
export type { RulingPreview } from "./lib/disputes/rule.ts";
export type { RulingProposalView } from "./lib/disputes/rulings/proposals.ts";
export type { RulingWarning } from "./lib/disputes/rulings/schema.ts";
export type { EvidencePicture } from "./lib/evidence/pictures.ts";
export type { Transcript } from "./lib/evidence/transcript.ts";
export type { HoldView } from "./lib/holds/responses.ts";
export type { BuyerInfo, InfoExchange, SellerInfo } from "./lib/information/view.ts";
export type { ReportView } from "./lib/reports/responses.ts";
export type { AllowedActions } from "./lib/trade/view/allowed-actions.ts";
export type { Due } from "./lib/trade/view/due-date.ts";
export type { HistoryView } from "./lib/trade/view/history.ts";
export type { RoomProgress } from "./lib/trade/view/room-progress.ts";
export type { StepView } from "./lib/trade/view/step-views.ts";
export type { MoneyState, TradeProgress } from "./lib/trade/view/trade-progress.ts";
export type { InvoiceView, PersonView, TradeView } from "./lib/trade/view/trade-view.ts";
export type { TransactionView } from "./lib/trade/view/transaction-view.ts";
export type { Turn } from "./lib/trade/view/turn.ts";
export type { VaultView } from "./lib/vault/view.ts";
export type { PublicTrade } from "./lib/verification/verify-code.ts";
