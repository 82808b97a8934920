import "./lib/proof/sealed-halt.ts";
import "./lib/proof/sealed-journals.ts";

export { eraseOldWords, erasePersonal } from "./lib/core/erase-personal.ts";
export { forgetRecipient } from "./lib/core/forget-recipient.ts";
export { startPayments } from "./lib/core/start.ts";
export { bookHeldRow, undoHeldPayment } from "./lib/holds/held-money.ts";
export { holdUnlessPaymentKnown } from "./lib/holds/hold-announced-payment.ts";
export { followHoldsWith } from "./lib/holds/hold-changes.ts";
export {
  clearsItself,
  endsWithItsRecord,
  type HoldFacts,
  type HoldOutcome,
  type HoldReason,
  type HoldResolution,
  holdReasons,
  isOfPaidPayment,
  mayBeTakenBack,
} from "./lib/holds/hold-reasons.ts";
export {
  holdById,
  holdsOf,
  holdsWaiting,
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
export { QR_MS, reserveInvoice } from "./lib/invoices/reserve-invoice.ts";
export { heldAmount, received, receivedFor, suspenseOf } from "./lib/ledger/balances.ts";
export {
  alarmLedgerWith,
  checkLedgerSoon,
  type LedgerCheck,
  lastLedgerCheck,
  ledgerStanding,
} from "./lib/ledger/check-ledger.ts";
export { type EscrowAccount, escrowAccounts } from "./lib/ledger/escrow-accounts.ts";
export { journalsOf } from "./lib/ledger/journals.ts";
export {
  type Problem,
  prove as verifyLedgerWithin,
  registerLedgerProof,
  type Sums,
  verifyLedger,
} from "./lib/ledger/verify-ledger.ts";
export { isApprovalLost, needsSecondApproval, payableFrom } from "./lib/payouts/approval-rules.ts";
export { approve } from "./lib/payouts/approve-payout.ts";
export { claim } from "./lib/payouts/claim-payout.ts";
export { createDue, setDestination } from "./lib/payouts/create-payout.ts";
export { destinationDigest } from "./lib/payouts/destination-digest.ts";
export { exceedsFourEyes, notAnother, outgoingTotal, outgoingTotals } from "./lib/payouts/four-eyes.ts";
export { markPayoutDone, type Witness } from "./lib/payouts/mark-payout-done.ts";
export { giveBankReference, markPayoutSent } from "./lib/payouts/mark-payout-sent.ts";
export {
  type Outgoing,
  payoutList,
  payoutQueue,
  type SuspenseItem,
  sentBetween,
  suspenseList,
} from "./lib/payouts/payout-queue.ts";
export {
  lastFour,
  type PayoutActor,
  type PayoutRefusal,
  payout,
  payoutsOf,
  type Stepped,
  stillToSend,
} from "./lib/payouts/payouts.ts";
export { putOffDue } from "./lib/payouts/put-off-payout.ts";
export { refundsOf } from "./lib/payouts/refunds.ts";
export { reportSent } from "./lib/payouts/report-payout-sent.ts";
export { markPayoutUnknown, type Resolution, resolveUnknownPayout } from "./lib/payouts/resolve-unknown.ts";
export { voidApproval, voidLive } from "./lib/payouts/withdraw-approval.ts";
export { HaltAltered } from "./lib/proof/sealed-halt.ts";
export { checkCallback } from "./lib/provider/check-callback.ts";
export { checkInvoices } from "./lib/provider/check-invoices.ts";
export { payerBanks } from "./lib/provider/payer-banks.ts";
export type { AskProblem, BankLink, Invoice, ProviderReport } from "./lib/provider/provider-types.ts";
export { providerFails } from "./lib/qpay/client.ts";
export { sandboxListensAt, sandboxServes } from "./lib/qpay/provider-access.ts";
export { paymentsOf } from "./lib/received/payments-of.ts";
export { recordManualPayment } from "./lib/received/record-manual-payment.ts";
export { recordPayments } from "./lib/received/record-payments.ts";
export { reconcileDay } from "./lib/reconciliation/reconcile.ts";
export {
  difference,
  differencesOf,
  lastReconciliation,
  openDays,
  openDifferences,
  reconciliations,
  resolveDifference,
  unshownByHand,
} from "./lib/reconciliation/run-list.ts";
export { mixedMoney } from "./lib/sandbox/assert-provider-matches.ts";
export { sandboxInvoice } from "./lib/sandbox/page.ts";
export { sandboxPay } from "./lib/sandbox/pay.ts";
export type { Payout, PayoutState } from "./lib/schema/money.ts";
export type { Cause, Difference, Run } from "./lib/schema/reconciliation.ts";
export type { Settlement } from "./lib/schema/settlements.ts";
export {
  type HaltState,
  haltAfterRestore,
  haltMoney,
  haltState,
  moneyHalted,
  resumeMoney,
} from "./lib/treasury/halt-money.ts";
export { outgoingByDay } from "./lib/treasury/outgoing-figures.ts";
export {
  settlementsLaidAside,
  settlementsRecorded,
  settlementsWaiting,
} from "./lib/treasury/settlement-list.ts";
export {
  laySettlementAside,
  lockSettlement,
  proposeSettlement,
  recordSettlement,
  type Settled,
} from "./lib/treasury/settlements.ts";
