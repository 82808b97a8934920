import "./lib/proof/sealed-halt.ts";
import "./lib/proof/sealed-journals.ts";

export { bankLogoPath, findBankLogo, loadBankLogos } from "./lib/bank-logos/bank-logos.ts";
export { eraseOldAdministratorNotes, erasePersonalPaymentData } from "./lib/core/erase-personal-data.ts";
export { forgetRecipient } from "./lib/core/forget-recipient.ts";
export { startPayments } from "./lib/core/start.ts";
export { bookHeldRow, undoHeldPayment } from "./lib/holds/held-money.ts";
export { holdUnlessPaymentKnown } from "./lib/holds/hold-announced-payment.ts";
export { registerHoldChangeHandler } from "./lib/holds/hold-change-job.ts";
export {
  endsWithItsRecord,
  type HoldFacts,
  type HoldOutcome,
  type HoldReason,
  type HoldResolution,
  holdReasons,
  isClearedByProvider,
  isPaidPaymentReason,
  mayPaymentBeTakenBack,
} from "./lib/holds/hold-reasons.ts";
export {
  holdById,
  holdsOf,
  listOpenHolds,
  markHoldsTold,
  openHoldReasons,
  openHoldReasonsOf,
} from "./lib/holds/list-holds.ts";
export { type NewHold, openHolds } from "./lib/holds/open-holds.ts";
export { needsSecondPerson, resolutionsOf, resolveHold } from "./lib/holds/resolve-hold.ts";
export type { Hold } from "./lib/holds/schema.ts";
export { cancelInvoices } from "./lib/invoices/cancel-invoices.ts";
export {
  countInvoices,
  invoiceById,
  invoiceQrPng,
  listInvoices,
  liveInvoice,
} from "./lib/invoices/invoices.ts";
export { openInvoice } from "./lib/invoices/open-invoice.ts";
export { drawQrSheet } from "./lib/invoices/qr-sheet.ts";
export { QR_MS, reserveInvoice } from "./lib/invoices/reserve-invoice.ts";
export {
  heldAmount,
  readReceivedAmount,
  readReceivedAmounts,
  readSuspenseAmount,
} from "./lib/ledger/balances.ts";
export {
  enqueueLedgerCheck,
  type LedgerCheck,
  lastLedgerCheck,
  ledgerVerificationState,
  registerLedgerAlarm,
} from "./lib/ledger/check-ledger.ts";
export { type EscrowAccount, escrowAccounts } from "./lib/ledger/escrow-accounts.ts";
export { journalsOf } from "./lib/ledger/journals.ts";
export {
  type LedgerProblem,
  type LedgerSums,
  proveLedger as verifyLedgerWithin,
  registerLedgerProof,
  verifyLedger,
} from "./lib/ledger/verify-ledger.ts";
export {
  CORRECTION_WAIT_MS,
  isApprovalLost,
  needsSecondApproval,
  payableFrom,
} from "./lib/payouts/approval-rules.ts";
export { type ApproveRefusal, approvePayoutRecord } from "./lib/payouts/approve-payout.ts";
export { type ClaimRefusal, claimPayoutRecord } from "./lib/payouts/claim-payout.ts";
export { createDuePayout, setDestination } from "./lib/payouts/create-payout.ts";
export { destinationDigest } from "./lib/payouts/destination-digest.ts";
export { exceedsFourEyes, fourEyesRefusal, outgoingTotal, outgoingTotals } from "./lib/payouts/four-eyes.ts";
export { type DoneRefusal, markPayoutDone, type Witness } from "./lib/payouts/mark-payout-done.ts";
export { giveBankReference, markPayoutSent, type SendRefusal } from "./lib/payouts/mark-payout-sent.ts";
export {
  type OutgoingKind,
  payoutList,
  payoutQueue,
  payoutsSentBetween,
  type SuspenseItem,
  suspenseList,
} from "./lib/payouts/payout-queue.ts";
export {
  findPayout,
  findUnsentReferences,
  isMoneyStillToSend,
  type PayoutActor,
  type PayoutRecordResult,
  type PayoutRefusal,
  type PayoutStepDone,
  payoutsOf,
} from "./lib/payouts/payouts.ts";
export { postponeDuePayouts } from "./lib/payouts/postpone-payouts.ts";
export { refundConditions } from "./lib/payouts/refund-conditions.ts";
export { reportPayoutSent } from "./lib/payouts/report-payout-sent.ts";
export {
  markPayoutUnknown,
  type Resolution,
  type ResolveRefusal,
  resolveUnknownPayout,
} from "./lib/payouts/resolve-unknown-payout.ts";
export { voidApproval, voidLivePayouts } from "./lib/payouts/withdraw-approval.ts";
export { HaltAltered } from "./lib/proof/sealed-halt.ts";
export { checkCallback } from "./lib/provider/check-callback.ts";
export { checkInvoices } from "./lib/provider/check-invoices.ts";
export { lastAskTime } from "./lib/provider/known-invoices.ts";
export { payerBanks } from "./lib/provider/payer-banks.ts";
export type { BankLink, Invoice, PaymentProblem, ProviderReport } from "./lib/provider/provider-types.ts";
export { type BankApp, bankAppRank, findBankApp } from "./lib/qpay/bank-apps.ts";
export { checkProviderAccess } from "./lib/qpay/client.ts";
export { isSandboxServing, setSandboxOrigin } from "./lib/qpay/provider-access.ts";
export { paymentsOf } from "./lib/received/list-payments.ts";
export { recordManualPayment } from "./lib/received/record-manual-payment.ts";
export { recordPayments } from "./lib/received/record-payments.ts";
export { reconcileDay } from "./lib/reconciliation/reconcile.ts";
export {
  daysWithOpenDifferences,
  differencesOf,
  findDifference,
  lastReconciliation,
  listReconciliationRuns,
  openDifferences,
  resolveDifference,
  unmatchedManualReferences,
} from "./lib/reconciliation/runs-and-differences.ts";
export { findProviderMismatch } from "./lib/sandbox/assert-provider-matches.ts";
export { paySandboxInvoice } from "./lib/sandbox/pay-invoice.ts";
export { findSandboxInvoice } from "./lib/sandbox/sandbox-invoice.ts";
export type { Payout, PayoutState } from "./lib/schema/money.ts";
export type { Difference, DifferenceCause, ReconciliationRun } from "./lib/schema/reconciliation.ts";
export type { Settlement } from "./lib/schema/settlements.ts";
export {
  type HaltState,
  haltAfterRestore,
  haltMoney,
  isMoneyHalted,
  readHaltState,
  resumeMoney,
} from "./lib/treasury/halt-money.ts";
export { outgoingByDay } from "./lib/treasury/outgoing-figures.ts";
export {
  listDiscardedSettlements,
  settlementsRecorded,
  settlementsWaiting,
} from "./lib/treasury/settlement-list.ts";
export {
  discardSettlement,
  lockSettlement,
  proposeSettlement,
  recordSettlement,
  type SettlementFigures,
} from "./lib/treasury/settlements.ts";
